'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { HiddenValue } from '#components/drafts/hidden-value'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { IconButton } from '#components/ui/controls/icon-button'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import type { SenderProfile } from '#lib/contracts/messages/sender-profiles'

type Entry = { key: number; name: string; text: string; value: unknown }

/** Values that are not text keep their type unless they are edited. */
const FIRST = { name: '', title: '', company: '' }

function toEntries(data: Record<string, unknown>): Entry[] {
  return Object.entries(data).map(([name, value], key) => ({
    key,
    name,
    value,
    text: typeof value === 'string' ? value : JSON.stringify(value),
  }))
}

const toSenderData = (entries: Entry[]) =>
  Object.fromEntries(
    entries.filter((entry) => entry.name.trim()).map((entry) => [entry.name.trim(), entry.value]),
  )

const toSaved = ({ version, profile_name, description, is_default, sender_data }: SenderProfile) => ({
  version,
  values: { profile_name, description, is_default, sender_data: JSON.stringify(sender_data.data) },
})

/** Sends `profile_name`, `description`, `is_default` and `sender_data` as JSON. */
export function ProfileForm({ profile, save }: { profile: SenderProfile | null; save: FormAction }) {
  const [entries, setEntries] = useState(() => toEntries(profile?.sender_data.data ?? FIRST))
  const set = (key: number, part: Partial<Entry>) =>
    setEntries(entries.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)))
  const nextKey = Math.max(-1, ...entries.map((entry) => entry.key)) + 1

  return (
    <ActionForm action={save} className="grid max-w-2xl gap-4">
      <KeptFields
        name={`profile:${profile?.id ?? 'new'}`}
        what="The profile"
        {...(profile && toSaved(profile))}
      />
      <Field label="Profile name" name="profile_name" required>
        <Input maxLength={100} defaultValue={profile?.profile_name} />
      </Field>
      <Field label="Description" name="description">
        <Textarea rows={2} maxLength={500} defaultValue={profile?.description ?? ''} />
      </Field>
      <fieldset>
        <legend className="text-sm font-medium">Fields</legend>
        <p className="mb-2 text-sm text-muted">
          Messages use them as <code className="font-mono text-xs">{'{{ sender.name }}'}</code>.
        </p>
        <HiddenValue
          name="sender_data"
          label="Fields"
          value={JSON.stringify(toSenderData(entries))}
          onRestore={(text) => setEntries(toEntries(JSON.parse(text)))}
        />
        <div className="grid gap-2">
          {entries.map((entry) => (
            <EntryFields
              key={entry.key}
              entry={entry}
              onChange={(part) => set(entry.key, part)}
              onRemove={() => setEntries(entries.filter((one) => one.key !== entry.key))}
            />
          ))}
        </div>
        <Button
          size="sm"
          className="mt-2"
          onClick={() => setEntries([...entries, { key: nextKey, name: '', text: '', value: '' }])}
        >
          <Plus aria-hidden /> Add a field
        </Button>
      </fieldset>
      <Checkbox name="is_default" label="Use as the default profile" defaultChecked={profile?.is_default} />
      <div>
        <SubmitButton>{profile ? 'Save profile' : 'Create profile'}</SubmitButton>
      </div>
    </ActionForm>
  )
}

type EntryProps = { entry: Entry; onChange: (part: Partial<Entry>) => void; onRemove: () => void }

function EntryFields({ entry, onChange, onRemove }: EntryProps) {
  return (
    <div className="grid grid-cols-[9rem_minmax(0,1fr)_auto] items-center gap-2">
      <Input
        aria-label="Field name"
        placeholder="field"
        value={entry.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Input
        aria-label={`Value of ${entry.name || 'the field'}`}
        value={entry.text}
        onChange={(event) => onChange({ text: event.target.value, value: event.target.value })}
      />
      <IconButton small label={`Remove ${entry.name || 'the field'}`} onClick={onRemove}>
        <Trash2 />
      </IconButton>
    </div>
  )
}
