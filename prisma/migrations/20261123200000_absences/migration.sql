-- Until when a person gets nothing from any campaign: they said to be away, or a member holds them. Claims ask for it by the
-- key, for each lead that they look at.
CREATE TABLE "absences" (
    "workspace_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "last_day" DATE,
    "said" TEXT,
    "deputy_email" TEXT,
    "deputy_name" TEXT,
    "inbound_message_id" UUID,
    "noted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "absences_pkey" PRIMARY KEY ("workspace_id","email")
);
ALTER TABLE "absences" ADD CONSTRAINT "absences_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A lead that was put off at its turn can be told from one that waits for its delay.
ALTER TABLE "campaign_leads" ADD COLUMN "put_off_until" TIMESTAMPTZ(3);
