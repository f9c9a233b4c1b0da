/**
 * SQL: whether a conversation `t` ends with a person's reply that expects an answer, and an answer is allowed. Excluded are replies that
 * opt out or say the person is away, bounces, and mail from an address on the suppression list. Entries that name the person by profile or
 * telephone number are checked only when an answer is sent. A chat is not checked against the list, since the person wrote in it.
 */
export const AWAITS_ANSWER = `t.last_direction = 'in' AND t.last_kind = 'reply'
  AND NOT (coalesce(t.intent IN ('stop', 'absence', 'bounce'), false) AND EXISTS (
    SELECT 1 FROM inbox_messages w WHERE w.inbox_message_id = t.intent_message_id AND w.at >= t.last_message_at))
  AND (t.channel <> 'email' OR t.counterpart_address <> '' AND NOT EXISTS (
    SELECT 1 FROM effective_suppressions s WHERE s.workspace_id = t.workspace_id
      AND s.value IN (lower(t.counterpart_address), '@' || split_part(lower(t.counterpart_address), '@', 2))))`

/** SQL: whether a conversation `t` is open and not snoozed at the moment given by the SQL `now`. */
export const isOpenAt = (now: string) =>
  `t.status = 'open' AND (t.snoozed_until IS NULL OR t.snoozed_until <= ${now})`
