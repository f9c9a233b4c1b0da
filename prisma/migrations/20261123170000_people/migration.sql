-- Who the leads of all campaigns are: one person however many lists name them, and the company of their address.
CREATE TABLE "companies" (
    "company_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "name" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "companies_pkey" PRIMARY KEY ("company_id")
);
CREATE UNIQUE INDEX "companies_workspace_id_domain_key" ON "companies"("workspace_id", "domain");
ALTER TABLE "companies" ADD CONSTRAINT "companies_workspace_id_fkey" FOREIGN KEY ("workspace_id")
  REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "people" (
    "person_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "company_id" UUID,
    "merged_into_id" UUID,
    "email" TEXT,
    "profile" TEXT,
    "first_name" TEXT,
    "last_name" TEXT,
    "title" TEXT,
    "company" TEXT,
    "country" TEXT,
    "phone" TEXT,
    "tags" TEXT[] NOT NULL DEFAULT '{}',
    "edited_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "people_pkey" PRIMARY KEY ("person_id")
);
CREATE UNIQUE INDEX "people_workspace_id_email_key" ON "people"("workspace_id", "email");
CREATE INDEX "people_workspace_id_profile_idx" ON "people"("workspace_id", "profile");
-- Somebody with an address may share a profile with others of one list; whoever has nothing else may not.
CREATE UNIQUE INDEX "people_profile_alone_key" ON "people"("workspace_id", "profile") WHERE "email" IS NULL;
CREATE INDEX "people_workspace_id_company_id_idx" ON "people"("workspace_id", "company_id");
CREATE INDEX "people_merged_into_id_idx" ON "people"("merged_into_id") WHERE "merged_into_id" IS NOT NULL;
ALTER TABLE "people" ADD CONSTRAINT "people_workspace_id_fkey" FOREIGN KEY ("workspace_id")
  REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "people" ADD CONSTRAINT "people_company_id_fkey" FOREIGN KEY ("company_id")
  REFERENCES "companies"("company_id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "people" ADD CONSTRAINT "people_merged_into_id_fkey" FOREIGN KEY ("merged_into_id")
  REFERENCES "people"("person_id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "campaign_leads" ADD COLUMN "person_id" UUID;

-- The domains of lib/domain/inbox/company-domain, as they were when the table was made.
INSERT INTO "companies" ("workspace_id", "domain", "name")
SELECT l.workspace_id, split_part(l.email, '@', 2), min(nullif(btrim(r.data ->> 'company'), ''))
FROM "campaign_leads" l JOIN "dataset_rows" r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
WHERE l.email LIKE '%@%.%' AND split_part(l.email, '@', 2) !~ '^(yahoo|hotmail|live|outlook|gmx|ymail|yandex)\.[a-z]{2,3}(\.[a-z]{2})?$'
  AND split_part(l.email, '@', 2) NOT IN (
  'gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'yahoo.com', 'ymail.com',
  'rocketmail.com', 'aol.com', 'icloud.com', 'me.com', 'mac.com', 'proton.me', 'protonmail.com', 'pm.me', 'gmx.com',
  'gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'web.de', 't-online.de', 'freenet.de', 'posteo.de', 'mailbox.org',
  'mail.com', 'email.com', 'fastmail.com', 'fastmail.fm', 'hey.com', 'tutanota.com', 'tuta.io', 'tuta.com',
  'zoho.com', 'zohomail.com', 'yandex.ru', 'yandex.com', 'ya.ru', 'mail.ru', 'bk.ru', 'inbox.ru', 'list.ru',
  'rambler.ru', 'qq.com', '163.com', '126.com', 'sina.com', 'foxmail.com', 'naver.com', 'daum.net', 'hanmail.net',
  'orange.fr', 'wanadoo.fr', 'free.fr', 'laposte.net', 'sfr.fr', 'neuf.fr', 'bbox.fr', 'libero.it', 'virgilio.it',
  'alice.it', 'tin.it', 'tiscali.it', 'hotmail.it', 'terra.com.br', 'uol.com.br', 'bol.com.br', 'ig.com.br',
  'telefonica.net', 'ziggo.nl', 'kpnmail.nl', 'planet.nl', 'home.nl', 'xs4all.nl', 'telenet.be', 'skynet.be',
  'bluewin.ch', 'hispeed.ch', 'sunrise.ch', 'comcast.net', 'verizon.net', 'att.net', 'sbcglobal.net',
  'bellsouth.net', 'cox.net', 'charter.net', 'earthlink.net', 'rogers.com', 'shaw.ca', 'sympatico.ca', 'bell.net',
  'btinternet.com', 'sky.com', 'virginmedia.com', 'ntlworld.com', 'talktalk.net', 'blueyonder.co.uk',
  'tiscali.co.uk', 'bigpond.com', 'optusnet.com.au', 'wp.pl', 'o2.pl', 'interia.pl', 'onet.pl', 'op.pl', 'seznam.cz',
  'centrum.cz', 'email.cz', 'abv.bg', 'mail.bg', 'telia.com', 'rediffmail.com')
GROUP BY 1, 2 ORDER BY 1, 2;

INSERT INTO "people" ("workspace_id", "company_id", "email", "first_name", "last_name", "title", "company", "country", "phone")
SELECT DISTINCT ON (l.workspace_id, l.email) l.workspace_id, c.company_id, l.email, r.data ->> 'first_name', r.data ->> 'last_name',
  r.data ->> 'title', r.data ->> 'company', r.data ->> 'country', r.data ->> 'phone'
FROM "campaign_leads" l JOIN "dataset_rows" r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
LEFT JOIN "companies" c ON c.workspace_id = l.workspace_id AND c.domain = split_part(l.email, '@', 2)
WHERE l.email IS NOT NULL ORDER BY l.workspace_id, l.email, l.created_at DESC;

UPDATE "campaign_leads" l SET person_id = p.person_id FROM "people" p
WHERE p.workspace_id = l.workspace_id AND p.email = l.email;
CREATE INDEX "campaign_leads_workspace_id_person_id_idx" ON "campaign_leads"("workspace_id", "person_id");
