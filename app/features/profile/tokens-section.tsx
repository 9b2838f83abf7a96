import { Link } from "@remix-run/react";
import { Section } from "#app/ui/section.tsx";

export function TokensSection({ count }: { count: number }) {
  return (
    <Section
      title="Personal access tokens"
      intro="Let your scripts use the API as you, without your password."
    >
      {count > 0 && <p className="mb-5">You have {count === 1 ? "1 token" : `${count} tokens`}.</p>}
      <Link to="/manage/account/tokens" className="btn btn-outline">
        Manage tokens
      </Link>
    </Section>
  );
}
