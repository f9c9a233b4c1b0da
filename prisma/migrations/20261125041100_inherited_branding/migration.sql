-- What a workspace shows itself as: its own branding as a whole, or where it chose nothing, its parent's.
CREATE VIEW "effective_brandings" AS
  SELECT w.workspace_id, b.name, b.accent, b.logo_digest, b.sender_name, b.reply_to, b.workspace_id AS kept_in
  FROM workspaces w
  LEFT JOIN workspace_brandings own ON own.workspace_id = w.workspace_id
    AND num_nonnulls(own.name, own.accent, own.logo_digest, own.sender_name, own.reply_to) > 0
  JOIN workspace_brandings b ON b.workspace_id = coalesce(own.workspace_id, w.parent_workspace_id)
    AND num_nonnulls(b.name, b.accent, b.logo_digest, b.sender_name, b.reply_to) > 0;
