import { routes } from '#lib/http/route'
import {
  readSecondFactor,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '#lib/operations/workspaces/second-factor'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  readSecondFactor,
  turnOnSecondFactor,
  turnOffSecondFactor,
)
