import type { Mutation } from "#app/server/http/mutations.server.ts";
import type { Visitor } from "../../../tests/harness/visitor.ts";
import type { Market } from "../market.ts";

/** A request that changes something, with all that it needs in the database. */
export interface MutationRequest {
  person: Visitor;
  path: string;
  /** For a form. */
  fields?: Record<string, string> | [name: string, value: string][];
  /** For a form with a file. */
  file?: Buffer;
  /** For the REST API. */
  method?: "POST" | "PUT" | "DELETE";
  body?: object;
}

export interface MutationTraits {
  /** The response is the same whether anything was done, since it must not reveal that. */
  isSilent?: boolean;
  /** Tables of what follows the change itself, which is done without them. */
  follows?: string[];
  /** The same request again does it again. */
  mayRepeat?: boolean;
  /** Needs a new challenge after a failure, which the browser asks for. */
  hasChallenge?: boolean;
  /** Each row is changed by itself, so that a failure leaves some of them changed. */
  isByRow?: boolean;
}

export interface MutationCase extends MutationTraits {
  prepare(market: Market): Promise<MutationRequest>;
}

/** The requests of one mutation, by page and by the API. */
export type MutationCases = Partial<Record<Mutation, readonly [MutationCase, ...MutationCase[]]>>;

/** A case: how to prepare its request, and how its result is judged. */
export function request(prepare: MutationCase["prepare"], traits: MutationTraits = {}): MutationCase {
  return { prepare, ...traits };
}
