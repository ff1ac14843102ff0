-- Fixes are divided into locations by the program (Sources/Locations/Recording), and no longer by the database.

DROP FUNCTION IF EXISTS record_fixes(
    integer, text[], text[], double precision[], double precision[], double precision[], double precision[],
    double precision[]);
DROP FUNCTION IF EXISTS is_too_fast(
    double precision, double precision, double precision, double precision, double precision, double precision);
DROP FUNCTION IF EXISTS is_near(double precision, double precision, double precision, double precision);
DROP FUNCTION IF EXISTS metres_between(double precision, double precision, double precision, double precision);
DROP FUNCTION IF EXISTS most_strays();
DROP FUNCTION IF EXISTS longest_stray();
