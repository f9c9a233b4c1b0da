import Form from 'next/form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { Input } from '#components/ui/controls/input'
import { type Option, Select } from '#components/ui/controls/select'
import { Disclosure } from '#components/ui/layout/disclosure'
import { type Query, queryHref } from '#components/ui/query-href'
import { MAX_COUNTED } from '#lib/contracts/leads/people'

const PATH = '/people'
const DAYS = [7, 30, 90]
const FIELDS = { title: 'Title', country: 'Country', tag: 'Tag', campaign_id: 'Campaign' } as const
const NO_CONTACT = {
  contacted: undefined,
  replied: undefined,
  contacted_in_days: undefined,
  not_contacted_in_days: undefined,
}

type Props = {
  query: Query
  campaigns: Option[]
  /** How many the list shows; what other chips would show is not counted. */
  total: number
}

/** How far it came with them, in one press; what lists say of them, in a form. All of it stands in the address. */
export function PersonFilters({ query, campaigns, total }: Props) {
  const states: { label: string; asks: Query }[] = [
    { label: 'All', asks: {} },
    { label: 'Never contacted', asks: { contacted: 'false' } },
    ...DAYS.map((days) => ({ label: `Contacted in ${days} days`, asks: { contacted_in_days: days } })),
    { label: 'Not contacted in 90 days', asks: { not_contacted_in_days: 90 } },
    { label: 'Replied', asks: { replied: 'true' } },
  ]
  const chips = states.map(({ label, asks }) => {
    const current = Object.keys(NO_CONTACT).every(
      (key) => String(query[key] ?? '') === String(asks[key] ?? ''),
    )
    return {
      label,
      href: queryHref(PATH, query, { ...NO_CONTACT, ...asks }),
      current,
      ...(current && total < MAX_COUNTED && { count: total }),
    }
  })
  const askedChips = buildAskedChips(query, campaigns)
  return (
    <>
      <FilterChips label="Contact" chips={chips} />
      <Disclosure title="More filters" summary={<Asked query={query} campaigns={campaigns} />}>
        <Form action={PATH} className="flex flex-wrap items-end gap-3">
          {['search', 'columns', 'sort', ...Object.keys(NO_CONTACT)].map((key) =>
            query[key] === undefined ? null : (
              <input key={key} type="hidden" name={key} value={String(query[key])} />
            ),
          )}
          {(['title', 'country', 'tag'] as const).map((key) => (
            <Field key={key} label={FIELDS[key]} name={key} className="w-40 max-sm:w-full">
              <Input key={String(query[key])} defaultValue={String(query[key] ?? '')} maxLength={50} />
            </Field>
          ))}
          <Field label={FIELDS.campaign_id} name="campaign_id" className="w-56 max-sm:w-full">
            <Select
              key={String(query.campaign_id)}
              defaultValue={String(query.campaign_id ?? '')}
              placeholder="Any campaign"
              options={campaigns}
            />
          </Field>
          <Button type="submit">Show</Button>
        </Form>
      </Disclosure>
      {askedChips.length > 0 && <FilterChips label="Filters that are on" chips={askedChips} />}
    </>
  )
}

const askedFields = (query: Query, campaigns: Option[]) =>
  Object.entries(FIELDS).flatMap(([key, label]) => {
    const value = query[key]
    const campaign = campaigns.find((option) => option.value === value)?.label
    return value ? [{ key, said: `${label}: ${campaign ?? String(value)}` }] : []
  })

/** Each filter that is on takes itself off. */
const buildAskedChips = (query: Query, campaigns: Option[]) =>
  askedFields(query, campaigns).map(({ key, said }) => ({
    href: queryHref(PATH, query, { [key]: undefined }),
    label: `${said} – remove`,
    current: true,
  }))

const Asked = ({ query, campaigns }: Omit<Props, 'total'>) =>
  askedFields(query, campaigns)
    .map(({ said }) => said)
    .join(', ')
