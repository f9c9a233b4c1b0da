-- State of the embedded engine. Run at every start under an advisory lock: each statement is idempotent.
-- Payloads are json, not jsonb: user data may hold \u0000, which jsonb refuses.
create schema if not exists engine;

create table if not exists engine.functions (
  id text primary key,
  cfg json not null,
  -- Kept for a while after a deploy dropped it, so that open runs end with a clear error, not in silence.
  removed_at timestamptz
);

create table if not exists engine.events (
  id text primary key,
  name text not null,
  body json not null,
  received_at timestamptz not null default now()
);
create index if not exists events_received_at on engine.events (received_at);

create table if not exists engine.runs (
  id text primary key,
  fn_id text not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  event_ids text[] not null,
  events json not null,
  idem text not null unique,
  cron text,
  -- [[concurrency key, limit], ...], evaluated once, on the triggering event.
  slot_keys json not null,
  -- -1 lets the SDK choose; later calls repeat what it answered.
  req_version int not null default -1,
  -- While a parallel part is open the SDK only plans steps.
  plan boolean not null default false,
  -- The one discovery call: none, queued or running; `gen` fences its jobs, `disp` its answers.
  disc text not null check (disc in ('none', 'queued', 'running')),
  gen int not null default 1,
  disp int not null default 0,
  -- A result arrived during the discovery call: call once more.
  again boolean not null default false,
  attempt int not null default 0,
  output json,
  error json,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
create index if not exists runs_event_ids on engine.runs using gin (event_ids);
create index if not exists runs_open on engine.runs (fn_id) where ended_at is null;
create index if not exists runs_ended_at on engine.runs (ended_at);

create table if not exists engine.steps (
  run_id text not null references engine.runs on delete cascade,
  id text not null,
  op text not null,
  name text,
  state text not null check (state in ('planned', 'running', 'waiting', 'done')),
  -- Order of completion; taken under the run's row lock.
  seq int,
  -- Steps reported by one answer are discovered together (`grp` is that answer's dispatch), unless they race.
  grp int not null default 0,
  race boolean not null default false,
  att int not null default 0,
  disp int not null default 0,
  result json,
  primary key (run_id, id)
);

-- Who executes now, for concurrency limits; and who waits for a place.
create table if not exists engine.slots (
  key text not null,
  holder text not null,
  engine int not null,
  taken_at timestamptz not null default now(),
  primary key (key, holder)
);
create table if not exists engine.waiters (
  id bigint generated always as identity primary key,
  key text not null,
  max int not null,
  run_id text not null references engine.runs on delete cascade,
  payload json not null,
  since timestamptz not null
);
create index if not exists waiters_key on engine.waiters (key, since, id);

-- Living engines: each holds the session advisory lock (ENGINE_LOCK, no) for as long as it lives.
create sequence if not exists engine.engine_no as int;
create table if not exists engine.engines (no int primary key, pool text not null, started_at timestamptz not null default now());
do $$
begin
  if not exists (select from pg_attribute where attrelid = 'engine.engines'::regclass and attname = 'seen_at') then
    -- A machine that is cut off cannot let go of its lock: for whom nothing was heard of, others work. Null: an earlier version's.
    alter table engine.engines add column seen_at timestamptz, add column serves text[] not null default '{}';
  end if;
end
$$;

-- What earlier versions kept for features that no function uses. Asked first: an ALTER waits for those who read.
drop table if exists engine.limits, engine.throttles, engine.buffers;
do $$
begin
  if exists (select from pg_attribute where attrelid = 'engine.runs'::regclass and attname = 'parent_run' and not attisdropped) then
    alter table engine.runs drop column parent_run, drop column parent_step, drop column singleton_key;
    alter table engine.steps drop column event, drop column expr;
  end if;
end
$$;
