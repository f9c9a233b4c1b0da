'use client'

import { useEffect, useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { networkName, PostPreview } from '#components/posts/post-preview'
import { useEarlyText } from '#components/posts/use-early-text'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { FileDrop } from '#components/ui/controls/file-drop'
import { Input } from '#components/ui/controls/input'
import { RadioGroup } from '#components/ui/controls/radio-group'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import type { PostAccount } from '#lib/contracts/posts/social-posts'
import { charactersOn, countCharacters } from '#lib/domain/social/social-post'

export type Written = {
  text: string
  connected_account_id: string | null
  /** URL of its saved image. */
  image: string | null
  when: 'now' | 'later' | 'draft'
  /** In the owner's zone. */
  scheduled_at: string | null
}

type Props = {
  accounts: Pick<PostAccount, 'id' | 'name' | 'provider' | 'status'>[]
  written: Written
  timezone: string
  save: FormAction
  /** Set for an existing post; the button then says what changes. */
  kept?: { id: string; version: number }
}

const WHEN = [
  { value: 'now', label: 'Now', hint: 'It goes live within seconds.' },
  { value: 'later', label: 'Later', hint: 'It stays scheduled and can be changed until then.' },
  { value: 'draft', label: 'Draft', hint: 'It is saved, not published.' },
]

/** The button's labels. */
const LABELS = { now: 'Publish', later: 'Schedule', draft: 'Save draft' }

/** Text with counter, image, account and time, beside a preview of the feed. */
export function Composer({ accounts, written, timezone, save, kept }: Props) {
  const { text, value, setText } = useEarlyText('textarea[name=text]', written.text)
  const chosen = useEarlyText('select[name=connected_account_id]', written.connected_account_id ?? '')
  const accountId = chosen.text
  const [isRemoved, setRemoved] = useState(false)
  const { address, setFile } = useChosenImage()
  // The selected file is dropped once the post has another saved image.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the saved image alone says so
  useEffect(() => {
    setRemoved(false)
    setFile(null)
  }, [written.image, setFile])
  const account = accounts.find(({ id }) => id === accountId)
  const image = address ?? (isRemoved ? null : written.image)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
      <ActionForm action={save} className="group grid min-w-0 gap-5">
        <KeptFields
          name={`post:${kept?.id ?? 'new'}`}
          what="The post"
          {...(kept && { version: kept.version, values: toFormValues(written) })}
        />
        <Field
          label="Text"
          name="text"
          required
          aside={<Counter count={countCharacters(text)} most={charactersOn(account?.provider ?? '')} />}
        >
          <Textarea rows={8} value={value} onChange={(event) => setText(event.target.value)} />
        </Field>
        <ImageField
          saved={written.image}
          isRemoved={isRemoved}
          onRemove={() => setRemoved(true)}
          onFile={setFile}
        />
        <Field label="Account" name="connected_account_id">
          <Select
            value={chosen.value}
            onChange={(event) => chosen.setText(event.target.value)}
            placeholder="None yet: keep as a draft"
            options={accounts.map(toOption)}
          />
        </Field>
        {accountId !== '' && <WhenFields written={written} timezone={timezone} />}
        <div>
          <SubmitButton>
            <ButtonWords isDraft={accountId === ''} saved={kept && written.when} />
          </SubmitButton>
        </div>
      </ActionForm>
      <section aria-label="Preview" className="min-w-0 lg:sticky lg:top-4">
        <h2 className="mb-2 text-sm font-medium">Preview</h2>
        <PostPreview
          author={account?.name ?? null}
          network={account?.provider ?? null}
          text={text}
          image={image}
          when="now"
        />
      </section>
    </div>
  )
}

/** Without an account there is no time to choose. */
const toFormValues = ({ text, connected_account_id, when, scheduled_at }: Written) => ({
  text,
  connected_account_id,
  ...(connected_account_id && { when, scheduled_at }),
})

/** Uses CSS on the form's state, so that it is right before scripts run. */
function WhenLabel({ labels }: { labels: typeof LABELS }) {
  return (
    <>
      <span className="hidden group-has-[[name=when][value=now]:checked]:inline">{labels.now}</span>
      <span className="hidden group-has-[[name=when][value=later]:checked]:inline">{labels.later}</span>
      <span className="hidden group-has-[[name=when][value=draft]:checked]:inline">{labels.draft}</span>
    </>
  )
}

function Counter({ count, most }: { count: number; most: number }) {
  const isOver = count > most
  return (
    <span className={isOver ? 'font-medium text-danger' : 'text-muted'}>
      {count.toLocaleString('en')} of {most.toLocaleString('en')}
      <span className="sr-only">{isOver ? ' characters: too many' : ' characters'}</span>
    </span>
  )
}

/** An object URL for the selected file, as long as it is selected. */
function useChosenImage() {
  const [file, setFile] = useState<File | null>(null)
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    setAddress(null)
    if (!file) return
    const made = URL.createObjectURL(file)
    const image = new window.Image()
    // Files no browser can show are left to the server to refuse with a reason.
    image.onload = () => setAddress(made)
    image.src = made
    return () => {
      image.onload = null
      URL.revokeObjectURL(made)
    }
  }, [file])
  return { address, setFile }
}

type ImageProps = {
  saved: string | null
  isRemoved: boolean
  onRemove: () => void
  onFile: (file: File | null) => void
}

function ImageField({ saved, isRemoved, onRemove, onFile }: ImageProps) {
  return (
    <div className="grid gap-2">
      <FileDrop
        key={saved}
        name="image"
        label={saved && !isRemoved ? 'Choose another image' : 'Add an image'}
        hint="PNG, JPEG, GIF or WebP, at most 10 MiB and 6012 pixels a side. Location data is removed."
        accept="image/png,image/jpeg,image/gif,image/webp"
        onFile={onFile}
      />
      {saved && !isRemoved && (
        <div>
          <Button size="sm" onClick={() => onRemove()}>
            Remove the image
          </Button>
        </div>
      )}
      {isRemoved && <input type="hidden" name="remove_image" value="true" />}
    </div>
  )
}

function WhenFields({ written, timezone }: Pick<Props, 'written' | 'timezone'>) {
  return (
    <>
      <RadioGroup name="when" legend="When" defaultValue={written.when} choices={WHEN} />
      <div className="hidden group-has-[[value=later]:checked]:block">
        <Field label={`Time (${timezone})`} name="scheduled_at" className="max-w-64">
          <Input type="datetime-local" defaultValue={written.scheduled_at ?? ''} />
        </Field>
      </div>
    </>
  )
}

const toOption = ({ id, name, provider, status }: Props['accounts'][number]) => ({
  value: id,
  label: `${name} · ${networkName(provider)}${status === 'disconnected' ? ' · disconnected' : ''}`,
})

/** The button's label: "save" for an existing post whose schedule does not change. */
function ButtonWords({ isDraft, saved }: { isDraft: boolean; saved: Written['when'] | undefined }) {
  if (isDraft) return LABELS.draft
  return <WhenLabel labels={saved ? { ...LABELS, [saved]: 'Save changes' } : LABELS} />
}
