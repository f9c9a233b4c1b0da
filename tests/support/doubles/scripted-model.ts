import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Step = { text?: string; call?: { operation: string; arguments?: object }; fails?: true; hangs?: true }

/** A model that answers from a script, step by step, and records the requests. */
export function scriptedModel(steps: Step[]) {
  const prompts: LanguageModelV4CallOptions['prompt'][] = []
  const signals: (AbortSignal | undefined)[] = []
  let at = 0
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const partsOf = ({ text, call }: Step, id: number): LanguageModelV4StreamPart[] => [
    { type: 'stream-start', warnings: [] },
    ...(text
      ? ([
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: text },
        ] as const)
      : []),
    ...(call
      ? [
          {
            type: 'tool-call' as const,
            toolCallId: `call-${id}-${prompts.length}`,
            toolName: 'call_operation',
            input: JSON.stringify(call),
          },
        ]
      : []),
  ]
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async () => {
      throw new Error('streams only')
    },
    doStream: async ({ prompt, abortSignal }) => {
      prompts.push(prompt)
      signals.push(abortSignal)
      const step = steps[at++] ?? { text: 'The end.' }
      if (step.fails) throw new Error('secret cause of the provider')
      return {
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          start(controller) {
            for (const part of partsOf(step, at)) controller.enqueue(part)
            if (step.hangs) {
              abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason))
              return
            }
            if (step.text) controller.enqueue({ type: 'text-end', id: 't' })
            const unified = step.call ? 'tool-calls' : 'stop'
            controller.enqueue({ type: 'finish', finishReason: { unified, raw: undefined }, usage })
            controller.close()
          },
        }),
      }
    },
  }
  return { model, prompts, signals }
}
