-- What a key may do at most; without one, as much as whoever made it.
ALTER TABLE "api_keys" ADD COLUMN "role" "WorkspaceRole";
