-- CreateTable
CREATE TABLE "sweeps" (
    "name" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sweeps_pkey" PRIMARY KEY ("name")
);
