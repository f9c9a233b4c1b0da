/**
 * SQL: whether the last word in a conversation `t` is a person's that asks for an answer, and one is allowed. Nobody answers
 * whoever wants no more mail or says to be away, what could not be delivered, and whoever the list names by address: whether it
 * names them by profile or telephone number, only an answer asks. A chat goes on with whoever wrote in it.
 */
export const AWAITS_ANSWER = `t.last_direction = 'in' AND t.last_kind = 'reply'
  AND NOT (coalesce(t.intent IN ('stop', 'absence', 'bounce'), false) AND EXISTS (
    SELECT 1 FROM inbox_messages w WHERE w.inbox_message_id = t.intent_message_id AND w.at >= t.last_message_at))
  AND (t.channel <> 'email' OR t.counterpart_address <> '' AND NOT EXISTS (
    SELECT 1 FROM effective_suppressions s WHERE s.workspace_id = t.workspace_id
      AND s.value IN (lower(t.counterpart_address), '@' || split_part(lower(t.counterpart_address), '@', 2))))`

/** SQL: whether a conversation `t` is in nobody's past and not put off, at the moment that `now` is SQL for. */
export const isOpenAt = (now: string) =>
  `t.status = 'open' AND (t.snoozed_until IS NULL OR t.snoozed_until <= ${now})`
