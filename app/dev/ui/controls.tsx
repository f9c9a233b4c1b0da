import { Copy, Pause, Plus, Trash2 } from 'lucide-react'
import { ActionButton } from '#components/ui/controls/action-button'
import { ActionForm } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { FileDrop } from '#components/ui/controls/file-drop'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { IconButton } from '#components/ui/controls/icon-button'
import { Input } from '#components/ui/controls/input'
import { LeaveButton } from '#components/ui/controls/leave-button'
import { LinkButton } from '#components/ui/controls/link-button'
import { ActingButton, LockProvider } from '#components/ui/controls/lock'
import { RadioGroup } from '#components/ui/controls/radio-group'
import { SearchInput } from '#components/ui/controls/search-input'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Switch } from '#components/ui/controls/switch'
import { Textarea } from '#components/ui/controls/textarea'
import { CopyButton } from '#components/ui/copy-button'
import { Kbd } from '#components/ui/kbd'
import { Disclosure } from '#components/ui/layout/disclosure'
import { Panel } from '#components/ui/layout/panel'
import { Stepper } from '#components/ui/layout/stepper'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction, MenuLink } from '#components/ui/overlays/menu-item'
import { Tooltip } from '#components/ui/overlays/tooltip'
import { actSample, failSample, leaveSample, saveSample } from './samples.ts'

const SAMPLE_LOCK = {
  reason: 'Your role here is viewer. To change this, you need the role member or higher.',
  people: [{ name: 'Ana Owner', email: 'ana@example.com' }],
}

const LOOKS = ['primary', 'secondary', 'ghost', 'danger'] as const
const SIZES = ['sm', 'md', 'lg'] as const
const ZONES = ['Europe/Paris', 'America/New_York', 'Asia/Kolkata'].map((value) => ({ value, label: value }))

export function Controls() {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Buttons />
      <Panel title="A form" description="Save “xyz” to see it refused.">
        <ActionForm action={saveSample} className="grid gap-4">
          <Field label="Name" name="name" required hint="Shown to you only.">
            <Input maxLength={255} />
          </Field>
          <Field label="Message" name="message">
            <Textarea placeholder="Hi {{ first_name }}," />
          </Field>
          <div>
            <SubmitButton>Save</SubmitButton>
          </div>
        </ActionForm>
      </Panel>
      <Fields />
      <Finding />
    </div>
  )
}

function Buttons() {
  return (
    <Panel title="Buttons">
      <div className="grid gap-3">
        {SIZES.map((size) => (
          <div key={size} className="flex flex-wrap gap-2">
            {LOOKS.map((variant) => (
              <Button key={variant} variant={variant} size={size}>
                {variant}
              </Button>
            ))}
            <Button size={size} disabled>
              disabled
            </Button>
          </div>
        ))}
        <div className="flex flex-wrap items-center gap-2">
          <LinkButton href="/dev/ui" variant="primary">
            <Plus aria-hidden /> New campaign
          </LinkButton>
          <LockProvider lock={SAMPLE_LOCK}>
            <ChangingLink href="/dev/ui" variant="primary">
              New campaign
            </ChangingLink>
            <ActingButton>Pause</ActingButton>
          </LockProvider>
          <IconButton label="Pause">
            <Pause />
          </IconButton>
          <CopyButton text="hello" />
          <ActionButton act={actSample}>
            <Pause aria-hidden /> Pause
          </ActionButton>
          <ActionButton act={failSample}>Refused</ActionButton>
          <LeaveButton leave={leaveSample}>Connect elsewhere</LeaveButton>
          <Menu label="More for Spring outreach">
            <MenuLink href="/dev/ui">
              <Copy aria-hidden /> Open
            </MenuLink>
            <MenuAction act={actSample}>
              <Pause aria-hidden /> Pause
            </MenuAction>
            <MenuAction
              act={actSample}
              danger
              confirm={{
                title: 'Delete dataset prospects.xlsx and its 1,240 leads?',
                description: 'Two finished campaigns keep their results. This cannot be undone.',
                label: 'Delete 1,240 leads',
                danger: true,
                type_to_confirm: 'prospects.xlsx',
              }}
            >
              <Trash2 aria-hidden /> Delete
            </MenuAction>
          </Menu>
          <Tooltip text="Counts per window day in the campaign's time zone">Daily limit</Tooltip>
          <span>
            <Kbd>g</Kbd> <Kbd>c</Kbd>
          </span>
        </div>
      </div>
    </Panel>
  )
}

function Fields() {
  return (
    <Panel title="Controls">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Time zone">
          <Select options={ZONES} placeholder="Choose a zone" />
        </Field>
        <Field label="Daily limit" error="Must be at least 1.">
          <Input type="number" defaultValue={0} />
        </Field>
        <Field label="Read only">
          <Input readOnly defaultValue="opn_3f9a…" />
        </Field>
        <Field label="Disabled">
          <Input disabled defaultValue="Not yours to change" />
        </Field>
        <Checkbox label="Track clicks" hint="Rewrites links in HTML mail." defaultChecked />
        <Checkbox label="Disabled" disabled />
        <Switch label="Stop on reply" hint="Of any step, from any mailbox." defaultChecked />
        <Switch label="Off" />
        <SegmentedControl
          legend="Unit"
          name="unit"
          defaultValue="days"
          options={['days', 'hours', 'minutes'].map((value) => ({ value, label: value }))}
        />
        <RadioGroup
          name="launch"
          legend="Start"
          defaultValue="now"
          choices={[
            { value: 'now', label: 'Now', hint: 'The first mail leaves inside today’s window.' },
            { value: 'later', label: 'Later' },
            { value: 'never', label: 'Not possible', disabled: true },
          ]}
        />
      </div>
    </Panel>
  )
}

function Finding() {
  return (
    <Panel title="Finding">
      <div className="grid gap-4">
        <SearchInput
          path="/dev/ui"
          query={{ part: 'controls' }}
          label="Search campaigns"
          className="max-w-72"
        />
        <FilterChips
          label="Status"
          chips={[
            { href: '/dev/ui', label: 'All', count: 1240, current: true },
            { href: '/dev/ui?status=active', label: 'Active', count: 12 },
            { href: '/dev/ui?status=paused', label: 'Paused', count: 3 },
          ]}
        />
        <Disclosure title="Servers" summary="smtp.example.com">
          What is seldom changed
        </Disclosure>
        <Stepper label="Import" steps={['Upload', 'Sheet', 'Columns', 'Result']} current={2} />
        <FileDrop
          name="file"
          label="Drop a spreadsheet, or choose one"
          hint="xlsx, xls, ods, csv; up to 25 MB"
          accept=".xlsx,.csv"
        />
      </div>
    </Panel>
  )
}
