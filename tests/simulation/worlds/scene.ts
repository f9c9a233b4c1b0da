import type pg from 'pg'
import { sealToken } from '#lib/services/senders/grants/sealed-token'
import { CLIENT_ID, grant, type Vault } from '#tests/simulation/grants/vault'
import { HOSTS } from '#tests/simulation/worlds/sender-choices'
import type { Answers, WorldSpec } from '#tests/simulation/worlds/spec'

type Owner = { workspace_id: string; user_id: string; email: string }

/** The rows of a world, with the ids that outside events and checks use. */
export type Scene = {
  /** The first workspace, which has the accounts. */
  workspace_id: string
  workspaces: Owner[]
  mailboxes: { mailbox_id: string; address: string; workspace_id: string }[]
  accounts: { account_id: string; name: string }[]
  campaigns: { campaign_id: string; workspace_id: string }[]
  answers: Answers
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const SERVER = { host: '127.0.0.1', port: 1, security: 'none', username: null }
const TRACED = [
  'campaigns',
  'mailboxes',
  'ramp_days',
  'connected_accounts',
  'social_people',
  'inbox_messages',
  'campaign_leads',
  'actions',
  'suppressions',
  'absences',
  'provider_pauses',
]

/**
 * Ids count up from the seed, so that anything that depends on an id replays; every commit leaves a trace in `sim_log`. A deleted
 * account or workspace stays known, as deleted.
 */
export async function prepareDatabase(control: pg.Client): Promise<void> {
  await control.query(`
    CREATE SEQUENCE IF NOT EXISTS sim_ids;
    CREATE OR REPLACE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS
      $$ SELECT ('01970000-0000-7000-8000-' || lpad(to_hex(nextval('sim_ids')), 12, '0'))::uuid $$;
    CREATE TABLE IF NOT EXISTS sim_log (id bigserial PRIMARY KEY, kind text NOT NULL, row jsonb NOT NULL, old jsonb,
      pid integer NOT NULL DEFAULT pg_backend_pid());
    CREATE OR REPLACE FUNCTION sim_trace() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO sim_log (kind, row, old)
        VALUES (TG_TABLE_NAME, to_jsonb(NEW), CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(OLD) END);
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION sim_trace_end() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO sim_log (kind, row, old)
        VALUES (TG_TABLE_NAME, to_jsonb(OLD) || '{"status": "deleted"}', to_jsonb(OLD));
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER sim_trace_end AFTER DELETE ON connected_accounts
      FOR EACH ROW EXECUTE FUNCTION sim_trace_end();
    CREATE OR REPLACE TRIGGER sim_trace_end AFTER DELETE ON absences
      FOR EACH ROW EXECUTE FUNCTION sim_trace_end();
    CREATE OR REPLACE TRIGGER sim_trace_end AFTER DELETE ON workspaces
      FOR EACH ROW EXECUTE FUNCTION sim_trace_end()`)
  for (const table of TRACED)
    await control.query(`CREATE OR REPLACE TRIGGER sim_trace AFTER INSERT OR UPDATE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION sim_trace();
      ALTER TABLE ${table} ENABLE ALWAYS TRIGGER sim_trace`)
  await control.query(`CREATE OR REPLACE TRIGGER sim_trace AFTER UPDATE ON workspaces
    FOR EACH ROW WHEN (OLD.timezone <> NEW.timezone) EXECUTE FUNCTION sim_trace()`)
  // Autovacuum moves rows and changes plans at arbitrary times, and thereby the order of ties: a seed would not replay.
  const { rows } = await control.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  )
  for (const { name } of rows) await control.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`)
}

/** Removes what the previous seed left, and writes the rows of this one: draft campaigns over their datasets. */
export async function setScene(control: pg.Client, spec: WorldSpec, vault: Vault): Promise<Scene> {
  await control.query(
    'TRUNCATE users, workspaces, sender_days, campaign_days, campaign_events, past_recipients, recipient_domains, sim_log CASCADE',
  )
  await control.query(`ALTER SEQUENCE sim_ids RESTART WITH ${(spec.seed % 1_000_000_000) * 10_000 + 1}`)
  const one = async <T>(sql: string, values: unknown[]): Promise<T> => {
    const { rows } = await control.query(sql, values)
    return rows[0] as T
  }
  const workspaces: Owner[] = []
  for (let place = 0; place < spec.workspaces; place++) {
    const name = `owner-${spec.seed}${place === 0 ? '' : `-${place}`}`
    workspaces.push(
      await one(
        `WITH u AS (INSERT INTO users (email, name) VALUES ($1, $2) RETURNING user_id, email),
          w AS (INSERT INTO workspaces (workspace_id, name, slug, timezone) SELECT user_id, $2, $4, $3 FROM u RETURNING workspace_id),
          m AS (INSERT INTO members (workspace_id, user_id, role) SELECT workspace_id, user_id, 'owner' FROM u, w)
         SELECT workspace_id, user_id, email FROM w, u`,
        [`${name}@example.com`, 'Owner', spec.owner_timezone, name],
      ),
    )
  }
  const [parent, child] = workspaces
  if (spec.is_family)
    await control.query('UPDATE workspaces SET parent_workspace_id = $1 WHERE workspace_id = $2', [
      parent?.workspace_id,
      child?.workspace_id,
    ])
  const ownerAt = (place: number) => workspaces[place]?.workspace_id ?? ''
  const workspace_id = ownerAt(0)
  const mailboxes: Scene['mailboxes'] = []
  for (const [index, box] of spec.mailboxes.entries())
    mailboxes.push(
      await one(
        `INSERT INTO mailboxes (workspace_id, address, smtp, imap, daily_limit, min_interval_seconds, ramp_up, ramp_up_started_at)
         VALUES ($1, $2, $3, $8, $4, $5, $6, $7) RETURNING mailbox_id, address, workspace_id`,
        [
          ownerAt(box.workspace),
          `sender-${box.same_as ?? index}@example.org`,
          box.provider ? { ...SERVER, host: HOSTS[box.provider] } : SERVER,
          box.daily_limit,
          box.min_interval_seconds,
          box.ramp_up && { ...box.ramp_up, by_health: box.by_health },
          new Date(spec.starts_at - box.ramp_age_days * DAY_MS),
          // Where the forecast must be kept exactly, mailboxes have no IMAP, so no follow-up waits until its mailbox is read.
          spec.undisturbed ? null : SERVER,
        ],
      ),
    )
  for (const [index, { mailbox_id, workspace_id: owner }] of mailboxes.entries()) {
    const box = spec.mailboxes[index]
    if (!box?.ramp_up || box.held_days === 0) continue
    await control.query(
      `INSERT INTO ramp_days (mailbox_id, workspace_id, local_date, allowed, verdict, cause, rises_after, judged_from, evidence)
       SELECT $1, $2, day - 1, $3, 'hold', 'bounces', day - 1 + $4::int, day - 1, '{"sent": 60, "bounced": 2}'
       FROM (SELECT ($5::timestamptz AT TIME ZONE $6)::date AS day) d`,
      [
        mailbox_id,
        owner,
        Math.min(box.daily_limit, box.ramp_up.start),
        box.held_days,
        new Date(spec.starts_at),
        spec.owner_timezone,
      ],
    )
  }
  for (const [index, { mailbox_id, address, workspace_id: owner }] of mailboxes.entries()) {
    const route = spec.grants.mailboxes[index]
    if (!route) continue
    const { access_token, refresh_token, expires_at } = grant(vault, mailbox_id, address)
    await control.query(
      `INSERT INTO mailbox_grants (mailbox_id, workspace_id, vendor, route, client_id, subject, refresh_token, access_token,
         access_expires_at) VALUES ($1, $2, 'google', $3, $4, $5, $6, $7, $8)`,
      [
        mailbox_id,
        owner,
        route,
        CLIENT_ID,
        address,
        sealToken(mailbox_id, refresh_token),
        sealToken(mailbox_id, access_token),
        expires_at,
      ],
    )
  }
  const accounts: Scene['accounts'] = []
  for (const [index, account] of spec.accounts.entries())
    accounts.push(
      await one(
        `INSERT INTO connected_accounts (workspace_id, provider, driver, provider_account_id, name, kind, limits,
           min_interval_seconds, ramp_up, ramp_up_started_at)
         VALUES ($1, 'linkedin', 'sandbox', $2, $2, 'premium', $3, $4, $5, $6) RETURNING account_id, name`,
        [
          workspace_id,
          `account-${index}`,
          account.limits,
          account.min_interval_seconds,
          account.ramp_up,
          new Date(spec.starts_at - account.ramp_age_days * DAY_MS),
        ],
      ),
    )
  const campaigns: Scene['campaigns'] = []
  for (const [index, campaign] of spec.campaigns.entries()) {
    const workspaceId = ownerAt(campaign.workspace)
    const { dataset_id } = await one<{ dataset_id: string }>(
      `INSERT INTO datasets (workspace_id, dataset_name, source_type, row_count, columns) VALUES ($1, $2, 'xlsx', $3, $4)
       RETURNING dataset_id`,
      [
        workspaceId,
        `Dataset ${index}`,
        campaign.emails.length,
        JSON.stringify([{ name: 'email', key: 'email' }]),
      ],
    )
    await control.query(
      `INSERT INTO dataset_rows (dataset_id, workspace_id, lead_index, email, data)
       SELECT $1, $2, r.place - 1, r.email,
         jsonb_strip_nulls(jsonb_build_object('first_name', 'Lead', 'linkedin_url', r.profile, 'timezone', r.timezone))
       FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY r (email, profile, timezone, place)`,
      [dataset_id, workspaceId, campaign.emails, campaign.profiles, campaign.timezones],
    )
    const {
      workspace: _w,
      emails: _,
      profiles: __,
      timezones: ___,
      mailboxes: places,
      account,
      steps_config,
      sending_windows: windows,
      ...rest
    } = campaign
    const pace = { ...rest, sending_windows: windows && JSON.stringify(windows) }
    const steps = JSON.stringify(steps_config).replaceAll('CAMPAIGN', `${index}`)
    campaigns.push(
      await one(
        `INSERT INTO campaigns (workspace_id, user_id, dataset_id, name, steps_config, alias_ids, connected_account_id, ${Object.keys(pace).join(', ')})
         VALUES ($1, (SELECT user_id FROM members WHERE workspace_id = $1), $2, $3, $4, $5, $6, ${Object.keys(pace).map((_, place) => `$${place + 7}`)}) RETURNING campaign_id, workspace_id`,
        [
          workspaceId,
          dataset_id,
          `Campaign ${index}`,
          steps,
          places && JSON.stringify(places.map((place) => mailboxes[place]?.mailbox_id)),
          account === null ? null : accounts[account]?.account_id,
          ...Object.values(pace),
        ],
      ),
    )
  }
  for (const [index, people] of spec.given.entries())
    for (const person of people)
      await control.query(
        `WITH u AS (INSERT INTO users (email, name) VALUES ($1, $1)
            ON CONFLICT (email) DO UPDATE SET name = excluded.name RETURNING user_id),
          m AS (INSERT INTO members (workspace_id, user_id, role) SELECT $2, user_id, 'member' FROM u ON CONFLICT DO NOTHING)
         INSERT INTO mailbox_members (workspace_id, mailbox_id, user_id) SELECT $2, $3, user_id FROM u`,
        [`member-${person}@example.com`, mailboxes[index]?.workspace_id, mailboxes[index]?.mailbox_id],
      )
  await control.query(
    'UPDATE workspaces SET one_campaign_at_a_time = $1, company_max_active = $2, rest_days = $3, colleague_reply_days = $4',
    [
      spec.policy.one_campaign_at_a_time,
      spec.policy.company_max_active,
      spec.policy.rest_days,
      spec.policy.colleague_reply_days,
    ],
  )
  // A reply of the wrong person holds the lead; no rule weakens what other replies ask for.
  await control.query(
    `INSERT INTO intent_rules (workspace_id, intent, does, hold_days)
     SELECT workspace_id, 'wrong_person'::"Intent", 'hold'::"IntentEffect", 2 FROM workspaces`,
  )
  for (const [domain, provider] of Object.entries(spec.recipients))
    await control.query('INSERT INTO recipient_domains (domain, provider) VALUES ($1, $2)', [
      domain,
      provider,
    ])
  for (const { email, hours } of spec.away)
    await control.query(
      'INSERT INTO absences (workspace_id, email, until, noted_at) VALUES ($1, $2, $3, $4)',
      [workspace_id, email, new Date(spec.starts_at + hours * HOUR_MS), new Date(spec.starts_at)],
    )
  for (const { domain, hours } of spec.answered)
    await control.query(
      `INSERT INTO companies (workspace_id, domain, replied_at) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, domain) DO UPDATE SET replied_at = excluded.replied_at`,
      [workspace_id, domain, new Date(spec.starts_at - hours * HOUR_MS)],
    )
  return { workspace_id, workspaces, mailboxes, accounts, campaigns, answers: spec.answers }
}
