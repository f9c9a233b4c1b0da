-- CreateTable
CREATE TABLE "campaign_texts" (
    "campaign_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "content" JSONB NOT NULL,
    "kept_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "campaign_texts_pkey" PRIMARY KEY ("campaign_id","template_id")
);

-- CreateIndex
CREATE INDEX "campaign_texts_template_id_idx" ON "campaign_texts"("template_id");

-- CreateIndex
CREATE INDEX "campaign_texts_user_id_idx" ON "campaign_texts"("user_id");

-- AddForeignKey
ALTER TABLE "campaign_texts" ADD CONSTRAINT "campaign_texts_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE FUNCTION templates_named(steps jsonb) RETURNS SETOF uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT (variant ->> 'template_id')::uuid
  FROM jsonb_array_elements(steps) step, jsonb_array_elements(step -> 'variants') variant
  WHERE variant ->> 'template_id' IS NOT NULL
$$;

-- Here, so that no way into a launch can forget it, and so that it commits with the launch or the edit or not at all. A text
-- that is kept already stays: only its owner's word takes over what became of the template.
CREATE FUNCTION keep_campaign_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM campaign_texts WHERE campaign_id = NEW.campaign_id
    AND (OLD.status IN ('draft', 'failed') OR NEW.status IN ('draft', 'failed')
      OR template_id NOT IN (SELECT templates_named(NEW.steps_config)));
  IF NEW.status NOT IN ('draft', 'failed') THEN
    INSERT INTO campaign_texts (campaign_id, template_id, user_id, content)
    SELECT NEW.campaign_id, t.template_id, t.user_id, t.content FROM templates t
    WHERE t.user_id = NEW.user_id AND t.template_id IN (SELECT templates_named(NEW.steps_config))
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_campaign_texts AFTER UPDATE OF "status", "steps_config" ON "campaigns"
  FOR EACH ROW WHEN ((OLD.status IN ('draft', 'failed')) <> (NEW.status IN ('draft', 'failed'))
    OR OLD.steps_config IS DISTINCT FROM NEW.steps_config AND NEW.status NOT IN ('draft', 'failed'))
  EXECUTE FUNCTION keep_campaign_texts();

-- What is under way goes on with the words that it would send today.
INSERT INTO campaign_texts (campaign_id, template_id, user_id, content)
SELECT c.campaign_id, t.template_id, t.user_id, t.content
FROM campaigns c CROSS JOIN LATERAL templates_named(c.steps_config) named (template_id)
JOIN templates t ON t.template_id = named.template_id AND t.user_id = c.user_id
WHERE c.status NOT IN ('draft', 'failed');
