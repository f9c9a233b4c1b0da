import { DefaultChatTransport, readUIMessageStream } from 'ai'
import { API, type Ask, type TalkMessage, type Token } from './talk-message.tsx'

/** The page the user is on, to resolve “this campaign”. */
function pageContext() {
  const path = window.location.pathname
  const campaign = /^\/campaigns\/([0-9a-f-]{36})/.exec(path)?.[1]
  return { path, ...(campaign ? { campaign_id: campaign } : {}) }
}

type Request = Ask & { thread: string; token: Token; history: TalkMessage[]; signal: AbortSignal }

/** Yields the conversation while an answer streams in; `onBroken` gets the reason if it breaks off. */
export async function* answers(
  { said, resume, thread, token, history, signal }: Request,
  onBroken: (why: string) => void,
) {
  const transport = new DefaultChatTransport<TalkMessage>({
    api: `${API}/chat`,
    headers: { authorization: `Bearer ${await token()}` },
    prepareSendMessagesRequest: () => ({
      body: {
        thread_id: thread,
        page_context: pageContext(),
        ...(resume ? { resume } : { messages: said ? [said] : [] }),
      },
    }),
  })
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: thread,
    messageId: undefined,
    messages: history,
    abortSignal: signal,
  })
  const previous = history.at(-1)
  // A decision continues in the message that asked for it.
  const isGoingOn = resume && previous?.role === 'assistant'
  const before = isGoingOn ? history.slice(0, -1) : history
  const given = isGoingOn ? { message: structuredClone(previous) } : {}
  // If the user stopped the answer, no error is shown.
  const onError = (cause: unknown) => {
    if (!signal.aborted) onBroken(cause instanceof Error ? cause.message : 'The answer was cut off.')
  }
  for await (const message of readUIMessageStream<TalkMessage>({ stream, onError, ...given })) {
    // Parts that arrive after a stop must not be added to another conversation.
    if (signal.aborted) return
    yield [...before, message]
  }
}
