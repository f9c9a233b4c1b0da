/** The user who creates something, and the workspace in which they do. */
export type Maker = { workspace_id: string; user_id: string }
