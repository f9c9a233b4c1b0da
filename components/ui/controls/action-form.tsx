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

/** The result of every form action. `fields` is keyed by control name. */
export type FormResult =
  | { ok: true; message?: string }
  /**
   * `lists`: the message names each field's problem, for fields that do not show it themselves. `stale`:
   * somebody else saved or replied meanwhile; the page now shows their version.
   */
  | { ok: false; message: string; fields?: Record<string, string>; lists?: true; stale?: true }

export type FormAction = (previous: FormResult | null, data: FormData) => Promise<FormResult>

type State = { result: FormResult | null; isPending: boolean; isAsking: boolean; acts: boolean }

const FormContext = createContext<State>({ result: null, isPending: false, isAsking: false, acts: false })

export function useFieldError(name: string | undefined): string | undefined {
  const { result } = useContext(FormContext)
  return name && result && !result.ok ? result.fields?.[name] : undefined
}

/** The result of the surrounding form, once there is one. */
export const useFormAnswer = () => useContext(FormContext)

export function useFormPending(): boolean {
  const { isPending, isAsking } = useContext(FormContext)
  return isPending || isAsking
}

/** Whether the form is sent to a server action; other forms only look something up. */
export const useFormActs = (): boolean => useContext(FormContext).acts

/**
 * Like `useActionState`, which submits natively before hydration; afterwards also returns a result if no
 * answer arrived.
 */
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

/** The values the fields start from: the latest saved ones, except while a save is pending or was refused. */
function useBasis(version: Props['version'], result: FormResult | null, isPending: boolean) {
  const [begun, setBegun] = useState(version)
  if (begun !== version && !isPending && result?.ok !== false) setBegun(version)
  return begun
}

/**
 * Whether every refused field shows its own error, so that the message need not repeat it. Determined before
 * painting.
 */
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
  /** The fields reset when this changes; the form itself stays and shows its result. */
  basis?: string | number
  /** The version of what is saved. After a refusal, the fields keep what was typed. */
  version?: number
  onDone?: () => void
  /** Gets the data before it is sent and must call `send`: for confirmations. */
  ask?: (data: FormData, send: () => void) => void | Promise<void>
}

/**
 * A form for a server action. Works before hydration. Afterwards, typed text is kept if the server refuses or
 * is unreachable (React resets a form after its `action` ran), the first invalid field gets the focus, and
 * success shows a toast. A surrounding dialog stays open until the answer.
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
  // Once per answer: handling it again on a re-render with another `onDone` would clear a form the user is
  // typing in.
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
