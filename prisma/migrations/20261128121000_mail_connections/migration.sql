-- CreateTable
CREATE TABLE "mail_connections" (
    "mail_connection_id" BIGSERIAL NOT NULL,
    "host" TEXT NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_connections_pkey" PRIMARY KEY ("mail_connection_id")
);

-- CreateIndex
CREATE INDEX "mail_connections_host_mail_connection_id_idx" ON "mail_connections"("host", "mail_connection_id");
