-- CreateEnum
CREATE TYPE "WorkspaceRole" AS ENUM ('owner', 'admin', 'member', 'viewer', 'client');

-- CreateTable
CREATE TABLE "workspaces" (
    "workspace_id" UUID NOT NULL DEFAULT uuid_v7(),
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("workspace_id")
);
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_slug" CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$');

-- CreateTable
CREATE TABLE "members" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "WorkspaceRole" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "members_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "workspaces_slug_key" ON "workspaces"("slug");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "users" ADD COLUMN "last_workspace_id" UUID;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_last_workspace_id_fkey" FOREIGN KEY ("last_workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Everybody who is here works alone so far, in a workspace of the same id: what was theirs will be its.
INSERT INTO workspaces (workspace_id, name, slug, created_at)
SELECT user_id, coalesce(nullif(btrim(name), ''), split_part(email, '@', 1)), 'workspace-' || right(user_id::text, 8), created_at
FROM users;
UPDATE workspaces w SET slug = s.words || '-' || right(w.workspace_id::text, 8)
FROM (SELECT workspace_id, btrim(left(btrim(regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g'), '-'), 40), '-') AS words
  FROM workspaces) s
WHERE s.workspace_id = w.workspace_id AND s.words <> '';
INSERT INTO members (workspace_id, user_id, role, created_at) SELECT user_id, user_id, 'owner', created_at FROM users;
