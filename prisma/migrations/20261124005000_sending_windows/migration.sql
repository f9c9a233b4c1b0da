-- Several windows in a day. Null: the one from sending_window_start to sending_window_end.
ALTER TABLE "campaigns" ADD COLUMN "sending_windows" JSONB,
  ADD CONSTRAINT "campaigns_sending_windows" CHECK (
    sending_windows IS NULL
    OR jsonb_typeof(sending_windows) = 'array' AND jsonb_array_length(sending_windows) BETWEEN 2 AND 6
      AND sending_windows -> 0 ->> 'start' = sending_window_start
      AND sending_windows -> -1 ->> 'end' = sending_window_end);
