import Form from 'next/form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { type Option, Select } from '#components/ui/controls/select'

type Props = {
  path: string
  people: { user_id: string; name: string }[]
  kinds: Option[]
  /** The zone in which days begin. */
  zone: string
  shown: Partial<Record<'user_id' | 'by' | 'from_day' | 'until_day', string | undefined>>
}

/** Filters by person, client and date; a plain form, so that the filters are in the URL. */
export function ActivityFilters({ path, people, kinds, zone, shown }: Props) {
  return (
    <Form action={path} className="flex flex-wrap items-end gap-3 max-sm:grid max-sm:grid-cols-2">
      <Field label="Member" name="user_id" className="sm:w-48">
        <Select
          defaultValue={shown.user_id ?? ''}
          placeholder="Everybody"
          options={people.map(({ user_id, name }) => ({ value: user_id, label: name }))}
        />
      </Field>
      <Field label="Via" name="by" className="sm:w-40">
        <Select defaultValue={shown.by ?? ''} placeholder="Anything" options={kinds} />
      </Field>
      <Field label="From" aside={<span className="text-muted">{zone}</span>} name="from_day">
        <Input type="date" defaultValue={shown.from_day} />
      </Field>
      <Field label="Until" aside={<span className="text-muted">{zone}</span>} name="until_day">
        <Input type="date" defaultValue={shown.until_day} />
      </Field>
      <Button type="submit">Show</Button>
    </Form>
  )
}
