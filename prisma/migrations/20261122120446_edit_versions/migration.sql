-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "campaigns_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "connected_accounts" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "connected_accounts_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "conversations_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "datasets" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "datasets_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "generations" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "generations_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "mail_domains" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "mail_domains_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "mailboxes_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "notification_preferences" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "notification_preferences_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "sender_profiles" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "sender_profiles_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "social_posts" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "social_posts_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "templates" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "templates_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "threads" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "threads_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "users_version_counts" CHECK ("version" >= 1);

-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "webhooks_version_counts" CHECK ("version" >= 1);
