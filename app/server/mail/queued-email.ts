export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
}

/** A message of the email queue. */
export type EmailMessage = QueuedEmail | EmailsDue;

/** Emails of notifications are due; they are read from the database. */
export interface EmailsDue {
  /** The origin of their links. */
  origin: string;
  /** The last notification that an earlier message has dealt with. */
  after: string | null;
}

/** An email that is ready to be sent. */
export interface QueuedEmail extends Mail {
  /** Names the email, which is sent once however often the queue delivers it. */
  id: string;
  /** In milliseconds. It is not sent later, since its link has expired. */
  expiresAt?: number;
}
