import Form from 'next/form'
import type { ReactNode } from 'react'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { Input } from '#components/ui/controls/input'
import { type Option, Select } from '#components/ui/controls/select'
import { Disclosure } from '#components/ui/layout/disclosure'
import { type Query, queryHref } from '#components/ui/query-href'
import { CONTACT_STATES, NO_CONTACT } from './contact-states.tsx'

const PATH = '/people'
const FIELDS = { title: 'Title', country: 'Country', tag: 'Tag', campaign_id: 'Campaign' } as const

type Props = {
  query: Query
  campaigns: Option[]
  /** Suggestions while typing a tag. */
  tags: string[]
  /** The count for each of CONTACT_STATES, if there are few enough people to count. */
  counts: number[] | null
  /** The search field, between chips and form. */
  children: ReactNode
}

/** Filters by state of contact (chips) and by list data (form). All filters are in the URL. */
export function PersonFilters({ query, campaigns, tags, counts, children }: Props) {
  const chips = CONTACT_STATES.map(({ label, asks }, index) => ({
    label,
    href: queryHref(PATH, query, { ...NO_CONTACT, ...asks }),
    current: Object.entries({ ...NO_CONTACT, ...asks }).every(
      ([key, value]) => String(query[key] ?? '') === String(value ?? ''),
    ),
    ...(counts?.[index] !== undefined && { count: counts[index] }),
  }))
  const askedChips = buildAskedChips(query, campaigns)
  return (
    <>
      <FilterChips label="Contact" chips={chips} />
      {children}
      <Disclosure title="More filters" summary={<Asked query={query} campaigns={campaigns} />}>
        <Form action={PATH} className="flex flex-wrap items-end gap-3">
          {Object.entries(query).map(([key, value]) =>
            value === undefined || key in FIELDS || key === 'page' ? null : (
              <input key={key} type="hidden" name={key} value={String(value)} />
            ),
          )}
          {(['title', 'country'] as const).map((key) => (
            <Field key={key} label={FIELDS[key]} name={key} className="w-40 max-sm:w-full">
              <Input key={String(query[key])} defaultValue={String(query[key] ?? '')} maxLength={50} />
            </Field>
          ))}
          <Field label={FIELDS.tag} name="tag" className="w-40 max-sm:w-full">
            <Input
              key={String(query.tag)}
              defaultValue={String(query.tag ?? '')}
              placeholder="Any tag"
              maxLength={50}
              list="tags-of-people"
            />
          </Field>
          <Field label={FIELDS.campaign_id} name="campaign_id" className="w-56 max-sm:w-full">
            <Select
              key={String(query.campaign_id)}
              defaultValue={String(query.campaign_id ?? '')}
              placeholder="Any campaign"
              options={campaigns}
            />
          </Field>
          <datalist id="tags-of-people">
            {tags.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
          <Button type="submit">Show</Button>
        </Form>
      </Disclosure>
      {askedChips.length > 0 && <FilterChips label="Active filters" chips={askedChips} />}
    </>
  )
}

const askedFields = (query: Query, campaigns: Option[]) =>
  Object.entries(FIELDS).flatMap(([key, label]) => {
    const value = query[key]
    const campaign = campaigns.find((option) => option.value === value)?.label
    return value ? [{ key, said: `${label}: ${campaign ?? String(value)}` }] : []
  })

/** A chip for each active filter, which removes it. */
const buildAskedChips = (query: Query, campaigns: Option[]) =>
  askedFields(query, campaigns).map(({ key, said }) => ({
    href: queryHref(PATH, query, { [key]: undefined }),
    label: `${said} – remove`,
    current: true,
  }))

const Asked = ({ query, campaigns }: Pick<Props, 'query' | 'campaigns'>) =>
  askedFields(query, campaigns)
    .map(({ said }) => said)
    .join(', ')
