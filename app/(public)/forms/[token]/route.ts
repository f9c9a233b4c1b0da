import { answerForm, answerPreflight } from '#lib/http/api/form-post'

type Context = RouteContext<'/forms/[token]'>

export const POST = async (request: Request, { params }: Context) => answerForm(request, (await params).token)
export const OPTIONS = async (request: Request, { params }: Context) =>
  answerPreflight(request, (await params).token)
