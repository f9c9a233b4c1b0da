-- CreateTable
CREATE TABLE "snds_accounts" (
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "is_made_up" BOOLEAN NOT NULL DEFAULT false,
    "connected_at" TIMESTAMPTZ(3) NOT NULL,
    "next_read_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "said" TEXT,
    "blocked" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "snds_accounts_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "snds_days" (
    "workspace_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "ip" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "complaints" TEXT NOT NULL,
    "complaint_share" DOUBLE PRECISION,
    "recipients" INTEGER NOT NULL,
    "trap_hits" INTEGER NOT NULL,

    CONSTRAINT "snds_days_pkey" PRIMARY KEY ("workspace_id","date","ip")
);

-- CreateIndex
CREATE INDEX "snds_accounts_next_read_at_idx" ON "snds_accounts"("next_read_at");

-- AddForeignKey
ALTER TABLE "snds_accounts" ADD CONSTRAINT "snds_accounts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snds_days" ADD CONSTRAINT "snds_days_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
