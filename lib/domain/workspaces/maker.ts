/** Who makes something, and in which workspace. */
export type Maker = { workspace_id: string; user_id: string }
