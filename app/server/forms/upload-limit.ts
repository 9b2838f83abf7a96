/** Limit of a form with files, which is held in memory: a Worker has 128 MB. Not in `files.server.ts`, since pages say it. */
export const maxUploadMegabytes = 24;
