export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
}

/** An email that is due. */
export interface DueEmail {
  /** Names the email, which is sent once however many runs find it due. */
  id: string;
  /** Is called once nobody else sends it. */
  write(): Promise<Mail>;
}

/** The message of the email queue: emails are due; they are read from the database. */
export interface EmailQueueMessage {
  /** The origin of their links. */
  origin: string;
  /** The last notification that an earlier message has dealt with. */
  after: string | null;
}
