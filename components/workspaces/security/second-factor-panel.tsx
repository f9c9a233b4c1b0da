'use client'

import { useRef, useState } from 'react'
import { CodeBlock } from '#components/ui/code-block'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import { useRun } from '#components/ui/use-action'
import { ZonedTime } from '#components/ui/zoned-time'
import { useProof } from '#components/workspaces/security/proof'
import type { SecondFactor } from '#lib/contracts/workspaces/second-factor'

type Refused = Extract<FormResult, { ok: false }>
type App = { secret: string; uri: string; square: string }
type Codes = { recovery_codes: string[] }

export type SecondFactorActions = {
  start: () => Promise<{ ok: true; answer: App } | Refused>
  turnOn: (code: string) => Promise<{ ok: true; answer: Codes } | Refused>
  turnOff: () => Promise<FormResult>
  replaceCodes: () => Promise<{ ok: true; answer: Codes } | Refused>
}

type Props = { factor: SecondFactor; zone: string; actions: SecondFactorActions }

/** The app's secret and the recovery codes are shown only once, and nowhere else. */
export function SecondFactorPanel({ factor, zone, actions }: Props) {
  const [app, setApp] = useState<App | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [question, setQuestion] = useState<'off' | 'codes' | null>(null)
  const [run, isPending] = useRun()
  const ensure = useProof()

  const setUp = () =>
    run(async () => {
      const said = await actions.start()
      if (said.ok) setApp(said.answer)
      return said.ok ? { ok: true } : said
    })
  const replace = () =>
    run(async () => {
      const said = await actions.replaceCodes()
      if (said.ok) setCodes(said.answer.recovery_codes)
      return said.ok ? { ok: true } : said
    })

  return (
    <Panel
      title={<>Authenticator app {factor.is_on && <Badge tone="success">on</Badge>}</>}
      description="A second factor for your password: a six-digit code from an app on your phone."
    >
      {factor.is_on && factor.on_since ? (
        <div className="grid gap-3">
          <p className="text-sm">
            On since <ZonedTime at={factor.on_since} zone={zone} style="date" />. {factor.recovery_codes_left}{' '}
            of 10 recovery codes left.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button aria-busy={isPending} onClick={() => ensure(() => setQuestion('codes'))}>
              New recovery codes
            </Button>
            <Button variant="ghost" aria-busy={isPending} onClick={() => ensure(() => setQuestion('off'))}>
              Turn off
            </Button>
          </div>
        </div>
      ) : (
        <Button aria-busy={isPending} onClick={() => ensure(setUp)}>
          Set up
        </Button>
      )}
      <SetUpDialog
        app={app}
        turnOn={actions.turnOn}
        onClose={() => setApp(null)}
        onCodes={(fresh) => {
          setApp(null)
          setCodes(fresh)
        }}
      />
      <CodesDialog codes={codes} onClose={() => setCodes(null)} />
      {question && (
        <ConfirmDialog
          confirmation={QUESTIONS[question]}
          onConfirm={() => (question === 'off' ? run(actions.turnOff) : replace())}
          onClose={() => setQuestion(null)}
        />
      )}
    </Panel>
  )
}

const QUESTIONS = {
  off: {
    title: 'Turn the second factor off?',
    description: 'You can then sign in with only your password. The recovery codes stop working.',
    label: 'Turn off',
    danger: true,
  },
  codes: {
    title: 'Create new recovery codes?',
    description: 'Your current codes stop working.',
    label: 'Create new codes',
  },
}

type SetUp = {
  app: App | null
  turnOn: SecondFactorActions['turnOn']
  onClose: () => void
  onCodes: (codes: string[]) => void
}

function SetUpDialog({ app, turnOn, onClose, onCodes }: SetUp) {
  const made = useRef<string[]>([])
  async function submit(_: FormResult | null, data: FormData): Promise<FormResult> {
    const said = await turnOn(String(data.get('code')))
    if (said.ok) made.current = said.answer.recovery_codes
    return said.ok ? { ok: true } : said
  }
  return (
    <Dialog
      isOpen={app !== null}
      onClose={onClose}
      title="Set up an authenticator app"
      description="Scan the QR code with the app, then enter the six digits it shows."
    >
      {app && (
        <ActionForm action={submit} onDone={() => onCodes(made.current)} className="grid gap-4">
          {/* Black on white in both themes, because cameras need it. */}
          {/* biome-ignore lint/performance/noImgElement: a picture in the page itself, there is nothing to optimize */}
          <img
            src={`data:image/svg+xml,${encodeURIComponent(app.square)}`}
            alt="QR code for the authenticator app"
            className="mx-auto size-48 rounded-sm border border-border bg-white"
          />
          <details className="text-sm">
            <summary className="cursor-pointer text-muted">No camera? Type the secret instead</summary>
            <div className="mt-2">
              <CodeBlock label="secret" code={app.secret} />
            </div>
          </details>
          <Field label="Code" name="code" required>
            <Input inputMode="numeric" autoComplete="one-time-code" maxLength={20} spellCheck={false} />
          </Field>
          <DialogActions>
            <SubmitButton>Turn on</SubmitButton>
          </DialogActions>
        </ActionForm>
      )}
    </Dialog>
  )
}

function CodesDialog({ codes, onClose }: { codes: string[] | null; onClose: () => void }) {
  return (
    <Dialog
      onlyByButton
      isOpen={codes !== null}
      onClose={onClose}
      title="Keep your recovery codes"
      description="If you lose the app, each code signs you in once. They are not shown again."
      footer={<Button onClick={onClose}>I saved them</Button>}
    >
      {codes && <CodeBlock label="recovery codes" code={codes.join('\n')} />}
    </Dialog>
  )
}
