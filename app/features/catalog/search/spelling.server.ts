import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { excludedParts, ftsQueryPerWord, modelTerms, queryTerms } from "./search-words.rules.ts";
import { correctedWord, isCorrectable, type SpellingCandidate, trigrams } from "./spelling.rules.ts";

const maxCandidates = 100;
const maxCountedVariants = 50;

/** Corrects the words that no variant has, in one round trip; null if none was corrected. */
export async function correctedWords(db: Db, words: string): Promise<string | null> {
  const typed = queryTerms(words);
  if (!typed.some(isCorrectable)) return null;
  const found = await candidatesFor(db, typed);
  const corrected = typed.map((word, at) => {
    const candidates = found.filter(({ position }) => position === at);
    return correctedWord(word, candidates) ?? word;
  });
  if (corrected.every((word, at) => word === typed[at])) return null;
  const models = modelTerms(words).map((model) => model.map((word) => corrected.shift() ?? word).join(" "));
  return [models.join(" or "), ...excludedParts(words)].join(" ");
}

/**
 * Finds possible corrections of the unknown words: words of listed phones with a common trigram, and words of about the
 * same length with the same first letter, since a typing mistake may leave a short word no trigram.
 */
function candidatesFor(db: Db, typed: string[]) {
  const matches = ftsQueryPerWord(typed);
  const correctable = typed.flatMap((word, position) =>
    isCorrectable(word) ? [{ position, word, match: matches[position], trigrams: trigramMatches(word) }] : [],
  );
  const candidates = sql`
    with typed as (
      select value ->> 'position' as position, value ->> 'word' as word, value ->> 'match' as match, value -> 'trigrams' as trigrams
      from json_each(${JSON.stringify(correctable)})),
    unknown as materialized (
      select position, word, trigrams from typed
      where not exists (select 1 from device_variants_fts where device_variants_fts match typed.match)),
    found as (
      select position, search_words_fts.rowid as id, 1 as trigrams
      from unknown cross join json_each(unknown.trigrams) as trigram cross join search_words_fts
      where search_words_fts match trigram.value
      union all
      select position, search_words.id, 0 from unknown cross join search_words
      where search_words.word >= substr(unknown.word, 1, 1)
        and search_words.word < substr(unknown.word, 1, 1) || char(1114111)
        and abs(length(search_words.word) - length(unknown.word)) <= 1),
    ranked as (
      select position, search_words.word, row_number() over (partition by position
        order by sum(found.trigrams) desc, abs(length(search_words.word) - length(unknown.word)), search_words.word) as rank
      from found join unknown using (position) join search_words using (id)
      group by position, id),
    counted as (
      select position, word, (select sum(listed) from (
        select listed from device_variants_fts cross join device_variants on device_variants.id = device_variants_fts.rowid
        where device_variants_fts match '"' || ranked.word || '"' and listed > 0 limit ${maxCountedVariants})) as listed
      from ranked where rank <= ${maxCandidates})
    select position, word, listed from counted where listed > 0`;
  return db
    .select({ position: sql<number>`position`, word: sql<string>`word`, listed: sql<number>`listed` })
    .from(sql`(${candidates}) as candidates`) satisfies PromiseLike<
    (SpellingCandidate & { position: number })[]
  >;
}

/** An FTS5 query for each trigram without padding. */
function trigramMatches(word: string): string[] {
  return [...trigrams(word)].filter((trigram) => !trigram.includes(" ")).map((trigram) => `"${trigram}"`);
}
