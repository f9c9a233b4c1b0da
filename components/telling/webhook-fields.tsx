import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'

export type EventChoice = { type: string; when: string }

type Props = {
  events: EventChoice[]
  webhook?: { url: string; description: string | null; event_types: string[] }
}

/** Shared by new and existing webhooks; a new one subscribes to everything. */
export function WebhookFields({ events, webhook }: Props) {
  return (
    <>
      <Field label="Address" name="url" required hint="Events are sent to this https address.">
        <Input
          type="url"
          maxLength={2_000}
          placeholder="https://example.com/opener"
          defaultValue={webhook?.url}
        />
      </Field>
      <Field label="Description" name="description" hint="For you.">
        <Input maxLength={200} defaultValue={webhook?.description ?? ''} />
      </Field>
      <fieldset className="grid gap-1.5">
        <legend className="mb-1 text-sm font-medium">Events</legend>
        {events.map(({ type, when }) => (
          <Checkbox
            key={type}
            name="event_types"
            value={type}
            label={<code className="font-mono text-xs">{type}</code>}
            hint={when}
            defaultChecked={webhook?.event_types.includes(type) ?? true}
          />
        ))}
      </fieldset>
    </>
  )
}
