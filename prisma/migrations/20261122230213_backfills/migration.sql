-- CreateTable
CREATE TABLE "backfills" (
    "name" TEXT NOT NULL,
    "cursor" TEXT,
    "rows_done" BIGINT NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "backfills_pkey" PRIMARY KEY ("name")
);
ALTER TABLE "backfills" ADD CONSTRAINT "backfills_rows_done" CHECK (rows_done >= 0);
