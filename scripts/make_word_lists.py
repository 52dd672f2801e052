"""Make the lists of common words under core/text/data from the PyPI package `wordfreq`.

Needed only to renew the lists; `wordfreq` is no dependency. In an environment that has both:
    python scripts/make_word_lists.py
"""

from pathlib import Path

from wordfreq import top_n_list  # type: ignore[import-not-found] # only here, see above

from core.text.layout import lay_out

LANGUAGES = ("da", "de", "en", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "ru", "sv", "tr", "uk")
WORDS = 5_000
FOLDER = Path(__file__).parent.parent / "core" / "text" / "data"


def common_words(language: str) -> list[str]:
    """The commonest words, folded, each one term of ours, commonest first."""
    terms = (lay_out(word).texts for word in top_n_list(language, 2 * WORDS))
    return list(dict.fromkeys(term[0] for term in terms if len(term) == 1))[:WORDS]


if __name__ == "__main__":
    for language in LANGUAGES:
        text = "\n".join(common_words(language)) + "\n"
        (FOLDER / f"{language}.txt").write_text(text, encoding="utf-8")
