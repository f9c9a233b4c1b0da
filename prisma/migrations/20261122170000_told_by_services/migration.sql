-- What webhooks and owners hear is told by the services that state the facts, typed by the contracts of the events
-- (lib/services/telling/tell.ts). What stays is the fan-out of an event to the webhooks that ask for it, which builds no payload.
DROP TRIGGER tell_of_actions ON "actions";
DROP TRIGGER tell_of_log ON "campaign_events";
DROP TRIGGER tell_of_failing_mailbox ON "mailboxes";
DROP TRIGGER tell_webhooks_of_failing_mailbox ON "mailboxes";
DROP TRIGGER tell_of_failing_account ON "connected_accounts";
DROP TRIGGER tell_of_account ON "connected_accounts";
DROP TRIGGER tell_of_post ON "social_posts";
DROP TRIGGER tell_of_dataset ON "dataset_sessions";
DROP TRIGGER tell_of_run ON "personalization_runs";
DROP TRIGGER tell_of_tracking ON "tracking_events";
DROP TRIGGER tell_of_acceptance ON "social_people";
DROP FUNCTION tell_of_actions();
DROP FUNCTION tell_of_log();
DROP FUNCTION tell_of_failing_mailbox();
DROP FUNCTION tell_webhooks_of_failing_mailbox();
DROP FUNCTION tell_of_failing_account();
DROP FUNCTION tell_of_account();
DROP FUNCTION tell_of_post();
DROP FUNCTION tell_of_dataset();
DROP FUNCTION tell_of_run();
DROP FUNCTION tell_of_tracking();
DROP FUNCTION tell_of_acceptance();
DROP FUNCTION webhook_asks(uuid, text);
