import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Panel } from '#components/ui/layout/panel'

type Props = { state: string; code_challenge: string; address: string; name: string; workspace: string }

const ANSWER = '/mailboxes/sandbox-consent/answer'

/** Imitates a vendor's consent page: which account, and whether this app may use it. */
export const SandboxConsent = ({ state, code_challenge, address, name, workspace }: Props) => (
  <Panel className="max-w-xl" title="Allow Opener to use this mailbox?" description={`For ${workspace}.`}>
    <form action={ANSWER} className="grid gap-4">
      <input type="hidden" name="state" value={state} />
      <input type="hidden" name="code_challenge" value={code_challenge} />
      <Field label="Account" name="address" required>
        <Input type="email" defaultValue={address} autoComplete="off" />
      </Field>
      <Field label="Name" name="name">
        <Input defaultValue={name} maxLength={100} />
      </Field>
      <ul className="list-disc pl-5 text-sm text-muted">
        <li>Send emails as you</li>
        <li>Read incoming emails to detect replies and bounces</li>
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          Allow
        </Button>
        <Button type="submit" name="declined" value="1" formNoValidate>
          Cancel
        </Button>
      </div>
    </form>
  </Panel>
)
