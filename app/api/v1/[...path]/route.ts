import { frameworkResponse } from '#lib/http/envelope'

const unknownPath = async () => frameworkResponse(404)

export const GET = unknownPath
export const POST = unknownPath
export const PUT = unknownPath
export const PATCH = unknownPath
export const DELETE = unknownPath
