-- What a lane's provider takes for its calls, so that a forecast can say what a file costs.

ALTER TABLE lanes
    -- Both are null where nobody has said it: that is no price of nothing.
    ADD price_per_1000_calls numeric,
    ADD currency             text,

    ADD CONSTRAINT a_price_is_an_amount_of_a_currency CHECK ((price_per_1000_calls IS NULL) = (currency IS NULL)),
    ADD CONSTRAINT a_price_is_not_negative CHECK (price_per_1000_calls >= 0 AND price_per_1000_calls < 'Infinity'),
    ADD CONSTRAINT a_currency_is_three_capitals CHECK (currency ~ '^[A-Z]{3}$');
