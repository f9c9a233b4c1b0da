import { routes } from '#lib/http/route'
import { deleteDataset, readDataset, renameDataset } from '#lib/operations/datasets/datasets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(deleteDataset, readDataset, renameDataset)
