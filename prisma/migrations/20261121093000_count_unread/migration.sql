-- The rail of every page counts them.
CREATE INDEX "threads_unread" ON "threads" ("user_id") WHERE "unread" AND "status" = 'open';
