-- The gazetteer lives in the program: a look-up needs no database, and a new folder no loading. Extensions stay: others may use them.

DROP TABLE gazetteer_places, gazetteer_names, gazetteer_postcodes, gazetteer_editions;
DROP FUNCTION on_the_sphere(double precision, double precision);
