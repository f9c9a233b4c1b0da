-- Lists have profiles and telephone numbers too: whether there are any, each claim asks.
CREATE INDEX "suppressions_names_idx" ON "suppressions"("workspace_id") WHERE strpos("value", '@') = 0;

-- The same as before, and which entry it is.
CREATE OR REPLACE VIEW "effective_suppressions" AS
  SELECT s.workspace_id, s.value, s.reason, s.workspace_id AS listed_in, s.suppression_id FROM suppressions s
  UNION ALL
  SELECT child.workspace_id, s.value, s.reason, s.workspace_id, s.suppression_id FROM workspaces child
  JOIN suppressions s ON s.workspace_id = child.parent_workspace_id;
