-- A parent's template that its children use too.
ALTER TABLE "templates" ADD COLUMN "is_shared" BOOLEAN NOT NULL DEFAULT false;

-- What a workspace may use: its own templates, and those that its parent shares.
CREATE VIEW "usable_templates" AS
  SELECT t.workspace_id, t.template_id, t.user_id, t.name, t.content, t.version, t.is_shared, t.created_at, t.updated_at,
    t.workspace_id AS kept_in
  FROM templates t
  UNION ALL
  SELECT child.workspace_id, t.template_id, t.user_id, t.name, t.content, t.version, t.is_shared, t.created_at, t.updated_at,
    t.workspace_id
  FROM workspaces child JOIN templates t ON t.workspace_id = child.parent_workspace_id WHERE t.is_shared;

-- As before, and with the texts that the parent shares: what is launched keeps them whatever becomes of the template.
CREATE OR REPLACE FUNCTION keep_campaign_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM campaign_texts WHERE campaign_id = NEW.campaign_id
    AND (OLD.status IN ('draft', 'failed') OR NEW.status IN ('draft', 'failed')
      OR template_id NOT IN (SELECT templates_named(NEW.steps_config)));
  IF NEW.status NOT IN ('draft', 'failed') THEN
    INSERT INTO campaign_texts (campaign_id, template_id, workspace_id, content)
    SELECT NEW.campaign_id, t.template_id, NEW.workspace_id, t.content FROM usable_templates t
    WHERE t.workspace_id = NEW.workspace_id AND t.template_id IN (SELECT templates_named(NEW.steps_config))
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
