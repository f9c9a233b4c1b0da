/** Names the workspace that a request is meant for: of a program that has a JWT, and of each page of the dashboard. */
export const WORKSPACE_HEADER = 'x-workspace-id'
