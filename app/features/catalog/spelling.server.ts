import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { ftsQueryPerWord, queryTerms } from "./search-words.rules.ts";
import { type Candidate, correctedWord, isCorrectable } from "./spelling.rules.ts";

/** Candidates for one word; those with the most trigrams in common come first. */
const maxCandidates = 100;
/** Variants of a candidate whose listed phones are counted. */
const maxCountedVariants = 50;

/**
 * Corrects the words that no variant has, in one round trip.
 *
 * @returns all words with the corrected ones in their places; null when none was corrected
 */
export async function correctedWords(db: Db, words: string): Promise<string | null> {
  const typed = queryTerms(words);
  if (!typed.some(isCorrectable)) return null;
  const found = await candidatesFor(db, typed);
  const corrected = typed.map((word, at) => {
    const candidates = found.filter(({ place }) => place === at);
    return correctedWord(word, candidates) ?? word;
  });
  return corrected.every((word, at) => word === typed[at]) ? null : corrected.join(" ");
}

/**
 * Words of listed phones that the unknown ones among the typed words may mean: words with a trigram in common, and
 * words of the same length that begin alike, since a slip may leave a short word no whole trigram.
 */
function candidatesFor(db: Db, typed: string[]) {
  const matches = ftsQueryPerWord(typed);
  const asked = typed.flatMap((word, place) =>
    isCorrectable(word) ? [{ place, word, match: matches[place], trigrams: trigramMatches(word) }] : [],
  );
  const candidates = sql`
    with typed as (
      select value ->> 'place' as place, value ->> 'word' as word, value ->> 'match' as match, value -> 'trigrams' as trigrams
      from json_each(${JSON.stringify(asked)})),
    unknown as materialized (
      select place, word, trigrams from typed
      where not exists (select 1 from device_variants_fts where device_variants_fts match typed.match)),
    found as (
      select place, search_words_fts.rowid as id, 1 as trigrams
      from unknown cross join json_each(unknown.trigrams) as trigram cross join search_words_fts
      where search_words_fts match trigram.value
      union all
      select place, search_words.id, 0 from unknown cross join search_words
      where search_words.word >= substr(unknown.word, 1, 1)
        and search_words.word < substr(unknown.word, 1, 1) || char(1114111)
        and abs(length(search_words.word) - length(unknown.word)) <= 1),
    ranked as (
      select place, search_words.word, row_number() over (partition by place
        order by sum(found.trigrams) desc, abs(length(search_words.word) - length(unknown.word)), search_words.word) as rank
      from found join unknown using (place) join search_words using (id)
      group by place, id),
    counted as (
      select place, word, (select sum(listed) from (
        select listed from device_variants_fts cross join device_variants on device_variants.id = device_variants_fts.rowid
        where device_variants_fts match '"' || ranked.word || '"' and listed > 0 limit ${maxCountedVariants})) as listed
      from ranked where rank <= ${maxCandidates})
    select place, word, listed from counted where listed > 0`;
  return db
    .select({ place: sql<number>`place`, word: sql<string>`word`, listed: sql<number>`listed` })
    .from(sql`(${candidates}) as candidates`) satisfies PromiseLike<(Candidate & { place: number })[]>;
}

/** An FTS5 query for each trigram that is inside a word. */
function trigramMatches(word: string): string[] {
  const letters = [...word];
  const inside = letters.slice(2).map((letter, at) => `"${letters[at]}${letters[at + 1]}${letter}"`);
  return [...new Set(inside)];
}
