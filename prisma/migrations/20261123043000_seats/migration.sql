-- Places for what takes long, held for as long as their holder says so again. UNLOGGED, since losing them costs no more than
-- that for a minute more is under way than there should be, and taking one waits for no disk.
CREATE UNLOGGED TABLE "seats" (
    "seat_id" UUID NOT NULL DEFAULT uuid_v7(),
    "called" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "seats_pkey" PRIMARY KEY ("seat_id")
);

-- CreateIndex
CREATE INDEX "seats_called_holder_idx" ON "seats"("called", "holder");

-- Takes one of so many places for one holder, and so many for all; answers no row's id where none is free, and how many
-- the holder has. Whoever asks for places of a name takes turns, so that counting and taking are one. By the clock of the
-- database, since those of the machines differ.
CREATE FUNCTION take_seat(of_name TEXT, for_holder TEXT, of_holder INTEGER, of_all INTEGER, lease_ms INTEGER,
  OUT taken UUID, OUT mine INTEGER) LANGUAGE plpgsql AS $$
DECLARE
  everyones INTEGER;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('seats ' || of_name, 0));
  DELETE FROM seats WHERE called = of_name AND held_until <= clock_timestamp();
  SELECT count(*) FILTER (WHERE holder = for_holder), count(*) INTO mine, everyones FROM seats WHERE called = of_name;
  IF mine < of_holder AND everyones < of_all THEN
    INSERT INTO seats (called, holder, held_until)
    VALUES (of_name, for_holder, clock_timestamp() + lease_ms * interval '1 millisecond') RETURNING seat_id INTO taken;
  END IF;
END $$;
