'use client'

import {
  type ComponentProps,
  createContext,
  Fragment,
  startTransition,
  useActionState,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react'
import { Callout } from '../feedback/callout.tsx'
import { toast } from '../overlays/toast.tsx'
import { useLock } from './lock.tsx'

/** What every form action answers. `fields` is keyed by the control's name. */
export type FormResult =
  | { ok: true; message?: string }
  /** `stale`: somebody else saved or answered meanwhile; the page has what is there now. */
  | { ok: false; message: string; fields?: Record<string, string>; stale?: true }

export type FormAction = (previous: FormResult | null, data: FormData) => Promise<FormResult>

const FormContext = createContext<{ result: FormResult | null; isPending: boolean; acts: boolean }>({
  result: null,
  isPending: false,
  acts: false,
})

export function useFieldError(name: string | undefined): string | undefined {
  const { result } = useContext(FormContext)
  return name && result && !result.ok ? result.fields?.[name] : undefined
}

/** The answer of the form around, once there is one. */
export const useFormAnswer = () => useContext(FormContext)

export function useFormPending(): boolean {
  return useContext(FormContext).isPending
}

/** Whether it is sent to a server action; other forms only look something up. */
export const useFormActs = (): boolean => useContext(FormContext).acts

type Props = Omit<ComponentProps<'form'>, 'action' | 'onSubmit'> & {
  action: FormAction
  /** What its fields began from: of another they begin anew, while the form stays and says what came of it. */
  basis?: string | number
  onDone?: () => void
  /** Is handed what would be sent, and sends it once it calls `send`: for what is shown before it is done. */
  ask?: (data: FormData, send: () => void) => void
}

/**
 * A form over a server action. Works before hydration; after it, what was typed stays when the server refuses
 * (React resets a form whose `action` has run), the first wrong field gets the focus, and success is a toast.
 */
export function ActionForm({ action, basis, onDone, ask, children, ...rest }: Props) {
  const [result, submit, isPending] = useActionState(action, null)
  const form = useRef<HTMLFormElement>(null)
  const lock = useLock()

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
    <FormContext value={{ result, isPending, acts: true }}>
      <form
        ref={form}
        action={submit}
        onSubmit={(event) => {
          event.preventDefault()
          if (lock) return lock.ask()
          const { nativeEvent } = event
          const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null
          const data = new FormData(event.currentTarget, submitter)
          const send = () => startTransition(() => submit(data))
          if (ask) ask(data, send)
          else send()
        }}
        {...rest}
      >
        {result && !result.ok && (
          <Callout tone={result.stale ? 'warning' : 'danger'} role="alert" className="mb-4 w-full">
            {result.message}
          </Callout>
        )}
        <Fragment key={basis}>{children}</Fragment>
      </form>
    </FormContext>
  )
}
