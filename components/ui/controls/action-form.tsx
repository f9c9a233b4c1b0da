'use client'

import {
  type ComponentProps,
  createContext,
  Fragment,
  type RefObject,
  startTransition,
  useActionState,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useTransition,
} from 'react'
import { failedResult } from '../failed-result.tsx'
import { Callout } from '../feedback/callout.tsx'
import { useHeldDialog } from '../overlays/hold-dialog.tsx'
import { toast } from '../overlays/toast.tsx'
import { useLock } from './lock.tsx'

/** What every form action answers. `fields` is keyed by the control's name. */
export type FormResult =
  | { ok: true; message?: string }
  /**
   * `lists`: the message says of each field what is wrong with it, for where they do not say it themselves. `stale`: somebody else
   * saved or answered meanwhile; the page has what is there now.
   */
  | { ok: false; message: string; fields?: Record<string, string>; lists?: true; stale?: true }

export type FormAction = (previous: FormResult | null, data: FormData) => Promise<FormResult>

type State = { result: FormResult | null; isPending: boolean; isAsking: boolean; acts: boolean }

const FormContext = createContext<State>({ result: null, isPending: false, isAsking: false, acts: false })

export function useFieldError(name: string | undefined): string | undefined {
  const { result } = useContext(FormContext)
  return name && result && !result.ok ? result.fields?.[name] : undefined
}

/** The answer of the form around, once there is one. */
export const useFormAnswer = () => useContext(FormContext)

export function useFormPending(): boolean {
  const { isPending, isAsking } = useContext(FormContext)
  return isPending || isAsking
}

/** Whether it is sent to a server action; other forms only look something up. */
export const useFormActs = (): boolean => useContext(FormContext).acts

/** As `useActionState`, which before hydration sends the form itself, and of what is sent later answers too where no answer came. */
function useHeard(action: FormAction) {
  const [early, native] = useActionState(action, null)
  const [result, run, isPending] = useActionState(
    (
      previous: FormResult | null,
      work: (previous: FormResult | null) => Promise<FormResult>,
    ): Promise<FormResult> => work(previous).catch(failedResult),
    early,
  )
  const answer = (work: (previous: FormResult | null) => Promise<FormResult>) =>
    startTransition(() => run(work))
  return { result, isPending, native, answer }
}

/** What the fields begin from: the latest that is saved, but for as long as a save is under way or was refused what they began from. */
function useBasis(version: Props['version'], result: FormResult | null, isPending: boolean) {
  const [begun, setBegun] = useState(version)
  if (begun !== version && !isPending && result?.ok !== false) setBegun(version)
  return begun
}

/** Whether every refused field says so itself, below it: nothing is then told twice. Known before the page is painted. */
function useAllMarked(form: RefObject<HTMLFormElement | null>, result: FormResult | null) {
  const [isMarked, setMarked] = useState(false)
  useLayoutEffect(() => {
    const names = Object.keys((result?.ok === false && result.lists && result.fields) || {})
    const isSaid = (name: string) =>
      form.current?.querySelector(`[aria-invalid=true][name="${CSS.escape(name)}"]`)
    setMarked(names.length > 0 && names.every(isSaid))
  }, [form, result])
  return isMarked
}

type Props = Omit<ComponentProps<'form'>, 'action' | 'onSubmit'> & {
  action: FormAction
  /** What its fields began from: of another they begin anew, while the form stays and says what came of it. */
  basis?: string | number
  /** The same of what is saved: where the form was refused, its fields stay as they were filled in. */
  version?: number
  onDone?: () => void
  /** Is handed what would be sent, and sends it once it calls `send`: for what is shown before it is done. */
  ask?: (data: FormData, send: () => void) => void | Promise<void>
}

/**
 * A form over a server action. Works before hydration; after it, what was typed stays when the server refuses
 * (React resets a form whose `action` has run) or is not reached, the first wrong field gets the focus, and success is a toast. A dialog around it stays until the answer.
 */
export function ActionForm({ action, basis, version, onDone, ask, children, ...rest }: Props) {
  const { result, isPending, native, answer } = useHeard(action)
  const [isAsking, startAsking] = useTransition()
  const begun = useBasis(version, result, isPending)
  const form = useRef<HTMLFormElement>(null)
  const lock = useLock()
  useHeldDialog(isPending)
  const isMarked = useAllMarked(form, result)

  const tell = useEffectEvent((answer: FormResult) => {
    if (!answer.ok) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return
    }
    if (answer.message) toast.success(answer.message)
    onDone?.()
  })
  // Once for each answer: drawn anew with another `onDone`, a form would be emptied under the hands of who writes on.
  useEffect(() => {
    if (result) tell(result)
  }, [result])

  return (
    <FormContext value={{ result, isPending, isAsking, acts: true }}>
      <form
        ref={form}
        action={native}
        onSubmit={(event) => {
          event.preventDefault()
          if (lock) return lock.ask()
          if (isAsking) return
          const { nativeEvent } = event
          const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null
          const data = new FormData(event.currentTarget, submitter)
          const send = () => answer((previous) => action(previous, data))
          if (!ask) return send()
          startAsking(async () => {
            try {
              await ask(data, send)
            } catch (error) {
              const refusal = failedResult(error)
              answer(async () => refusal)
            }
          })
        }}
        {...rest}
      >
        {result && !result.ok && (
          <Callout tone={result.stale ? 'warning' : 'danger'} role="alert" className="mb-4 w-full">
            {isMarked ? 'Check the marked fields.' : result.message}
            {result.stale && version !== begun && ' Save again to replace them, or reload to see them.'}
          </Callout>
        )}
        <Fragment key={`${basis} ${begun}`}>{children}</Fragment>
      </form>
    </FormContext>
  )
}
