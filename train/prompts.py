"""The prompts of the corpus: opened user turns that the model completes, whole requests from templates, and plain text to continue.

Nothing of the sets that drafts are judged on may come in: `without` drops every prompt that shares a run of words with one.
"""
import ast
import pathlib
import random
import sysconfig
from target import BEGIN, END  # noqa: F401  (the ids that the markup below encodes to)
from generate import ANSWER, ASK, RAW

DEFAULT = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
SYSTEMS = ["You are a helpful assistant.", "Answer briefly.", "Answer with JSON only.", "You are a careful editor. Keep the meaning, improve the words.",
           "You summarise texts. Be concise and objective.", "You are a storyteller for children.", "You are a Python expert. Answer with code.",
           "You are a friendly teacher who explains things step by step.", "Reply in at most three sentences.", "You extract data from text and return JSON.",
           "You are a patient tutor of mathematics.", "You write clear technical documentation."]

OPEN = {
    "code": ["Write a Python function that", "Write a function", "Implement", "Write a JavaScript function", "Write a C program", "Implement a class in Python for",
             "Write SQL", "Fix this Python code:\n", "Write unit tests for", "Complete this function:\n\ndef", "What does this code do?\n\n", "```python\n",
             "How do I sort", "Explain this error:", "Create a Python script that", "Given a list of", "Refactor", "I have a bug in my", "def ", "Write a program in Go"],
    "chat": ["Explain", "What is", "How do I", "Why", "Can you help me", "Tell me about", "Describe", "Give me", "I am", "My", "How can", "What are", "Which", "Is it", "Should I",
             "What's the difference between", "I need", "Hi", "Suggest", "When", "Who", "Compare", "List", "I've been", "Help me", "Do you", "Are there", "How much", "Could you", "In"],
    "story": ["Write a short story about", "Tell me a story", "Write a poem about", "Continue the story:", "Once upon a time", "Write a story in which", "Write the opening", "Write a scene",
              "Write a fairy tale", "Write a dialogue between", "Tell a tale of", "Imagine", "Write a letter from", "Write a funny story", "Write a story for children"],
    "json": ["Return a JSON object", "Give me a JSON list of", "Convert this to JSON:", "Extract the", "Write a JSON", "Create a JSON array", "Answer only with JSON:", "Produce a JSON",
             "Represent", "Fill in this JSON", "Describe as JSON", "Parse the following into JSON:"],
    "summarise": ["Summarize the following text:\n\n", "Summarise", "Summarize this article", "Rewrite this paragraph:\n\n", "Give the main points of", "Translate to French:",
                  "Make this email more friendly:\n\n", "What is the main idea of this text?\n\n", "Shorten this:\n\n", "TL;DR:\n\n", "In one sentence, what does the following say?\n\n"],
    "free": ["", "", "", "The", "I", "A", "Please", "Let's", "Can", "Write", "Given", "Here", "As", "For", "If"],
}

PEOPLE = ["a baker", "an old sailor", "two brothers", "a shy librarian", "a night nurse", "a retired teacher", "a young inventor", "a taxi driver", "a beekeeper", "a stubborn king", "a mapmaker",
          "a street musician", "three friends", "a grandmother", "a lonely astronaut", "a clumsy wizard", "a postman", "a gardener", "a girl who cannot sleep", "a fisherman", "a painter", "a detective",
          "a watchman", "a cook", "a farmer", "a stray dog", "a talking crow", "a fox", "a small dragon", "a robot", "a ghost", "a tailor", "a chess player", "a mountain guide", "a shepherd", "a pilot"]
DEEDS = ["finds a door behind the wardrobe", "receives a letter with no sender", "loses the only key to the house", "decides to cross the frozen lake", "hears music from an empty room",
         "is given one wish too many", "has to hide a secret for a week", "builds a bridge nobody asked for", "meets a stranger on the last bus", "learns to read at sixty", "wakes up in the wrong town",
         "adopts a wolf cub", "forgets the name of a friend", "wants to bring back the rain", "repairs an old radio and hears a voice", "must choose between two gifts", "discovers a garden under the city",
         "saves the village from a flood", "enters a contest by mistake", "follows a trail of red thread", "tries to sell a haunted boat", "buries a box for the next hundred years",
         "trades places with a mirror image", "keeps a light burning all winter", "is late for the most important day", "finds out that the map is alive"]
PLACES = ["in a small harbour town", "on a train through the mountains", "in a desert village", "at the edge of a forest", "in a city of glass", "on an island without trees", "in a school at night",
          "on a space station", "in the year 1890", "during a snowstorm", "at a market", "in an old theatre", "on a farm", "at the bottom of the sea", "in a hospital", "by a slow river"]
TOPICS = ["photosynthesis", "black holes", "the water cycle", "inflation", "the French Revolution", "vaccines", "how bread rises", "plate tectonics", "electric cars", "sleep", "volcanoes", "the stock market",
          "coral reefs", "machine learning", "the Roman Empire", "migraines", "public transport", "chess openings", "solar panels", "jazz", "the human heart", "glaciers", "recycling", "coffee", "tea", "bicycles",
          "whales", "the printing press", "antibiotics", "democracy", "earthquakes", "the moon landing", "dreams", "honey", "rainbows", "batteries", "taxes", "time zones", "the Silk Road", "cheese", "owls",
          "insulin", "tides", "gravity", "knitting", "marathon training", "houseplants", "budgeting", "job interviews", "learning the guitar", "small talk", "back pain", "jet lag", "studying for exams",
          "cooking rice", "moving house", "a vegetable garden", "writing a novel", "public speaking", "saving energy", "raising a puppy", "camping", "photography", "meditation", "a first aid kit",
          "a birthday party", "remote work", "time management", "learning Spanish", "running a small shop", "negotiating a salary", "making friends", "a healthy breakfast", "stretching", "swimming",
          "fixing a leaking tap", "painting a room", "choosing a laptop", "backing up files", "passwords", "climate change", "the immune system", "DNA", "atoms", "sound waves", "the ozone layer", "satellites",
          "submarines", "penguins", "desert animals", "mushrooms", "the Great Wall of China", "Shakespeare", "opera", "impressionism", "Buddhism", "philosophy", "logic", "probability", "prime numbers",
          "fractions", "the Pythagorean theorem", "algorithms", "databases", "the internet", "cloud computing", "version control", "unit testing", "compilers", "recursion", "encryption", "blockchain",
          "supply and demand", "insurance", "mortgages", "credit cards", "retirement", "nutrition labels", "vitamins", "dehydration", "stress", "anger", "grief", "teamwork", "leadership", "feedback", "conflict at work"]
ASKS = ["What is {t}?", "Explain {t} in simple terms.", "Explain {t} to a ten-year-old.", "How does {t} work?", "Give me five facts about {t}.", "What should a beginner know about {t}?",
        "What are common mistakes with {t}?", "Why does {t} matter?", "Write a short introduction to {t}.", "I have a question about {t}: where do I start?", "What are the advantages and disadvantages of {t}?",
        "Can you give me three tips on {t}?", "Tell me something surprising about {t}.", "How has {t} changed over the last hundred years?", "Write an email to a colleague about {t}.",
        "Make a plan for a weekend course on {t}.", "What questions would you ask an expert on {t}?", "Describe {t} in two sentences.", "My friend says {t} is boring. How can I convince her otherwise?",
        "List the steps involved in {t}.", "I struggle with {t}. What can I do?", "What is the history of {t}?", "Compare {t} with {u}.", "How are {t} and {u} related?", "Which is harder to learn, {t} or {u}, and why?",
        "Write three quiz questions about {t} with answers.", "What would happen without {t}?", "Recommend a way to teach {t} to teenagers.", "Is {t} worth the money?", "Give me an analogy for {t}.",
        "What do people often get wrong about {t}?", "How do I talk to my parents about {t}?", "Write a checklist for {t}.", "Help me prepare a five-minute talk on {t}.", "What tools do I need for {t}?"]
TELLS = ["Write a short story about {p} who {d}.", "Tell a story {w} where {p} {d}.", "Write the first paragraph of a novel in which {p} {d}.", "{P} {d} {w}. Continue the story.", "Write a bedtime story about {p}.",
         "Write a story that begins with the sentence: {P} {d}.", "Write a story of about 200 words set {w}.", "Write a poem about {p} {w}.", "Write a scene {w} between {p} and {q}.", "Tell me a funny story about {p} who {d}.",
         "Write a fable about {p} and {q} with a moral.", "Write a ghost story {w}.", "Write a letter from {p} to {q}.", "Write a diary entry of {p} on the day that everything changed.", "Once there was {p}. Go on.",
         "Write a story in the first person: {p}, {w}.", "Write a dialogue {w} in which {p} {d} and {q} does not believe it.", "Write the ending of a story about {p} who {d}."]
THINGS = {"book": ["title", "author", "year", "genres", "pages", "isbn"], "person": ["name", "age", "email", "address", "phone", "job"], "recipe": ["name", "servings", "ingredients", "steps", "minutes"],
          "film": ["title", "director", "year", "cast", "rating"], "order": ["order_id", "customer", "items", "total", "date"], "car": ["make", "model", "year", "color", "price"], "city": ["name", "country", "population", "landmarks"],
          "event": ["title", "date", "time", "location", "attendees"], "product": ["name", "price", "in_stock", "tags", "sku"], "song": ["title", "artist", "album", "duration"], "animal": ["species", "habitat", "diet", "lifespan"],
          "student": ["name", "grade", "courses", "gpa"], "hotel": ["name", "stars", "rooms", "amenities", "city"], "flight": ["number", "from", "to", "departure", "arrival"], "invoice": ["number", "seller", "lines", "tax", "total"],
          "sensor reading": ["id", "temperature", "humidity", "timestamp"], "job": ["title", "company", "salary", "skills"], "team": ["name", "coach", "players", "founded"], "planet": ["name", "radius_km", "moons", "distance"],
          "museum": ["name", "city", "opening_hours", "exhibits"], "game": ["title", "platform", "players", "genre"], "config": ["host", "port", "debug", "timeout"], "user": ["id", "username", "roles", "active", "created_at"]}
NAMES = ["Ana Torres", "Liam Becker", "Wei Chen", "Fatima Khan", "Olu Adeyemi", "Mia Rossi", "Jonas Lind", "Priya Nair", "Tom Hughes", "Sara Novak", "Ivan Petrov", "Chloe Martin", "Diego Ruiz", "Emma Clark", "Noah Weiss"]
JOBS = ["plumber", "architect", "nurse", "teacher", "violinist", "baker", "engineer", "lawyer", "photographer", "chef", "electrician", "vet"]
CITIES = ["Lyon", "Porto", "Oslo", "Leeds", "Turin", "Graz", "Ghent", "Bergen", "Cork", "Bilbao", "Bremen", "Osaka", "Quito", "Nairobi", "Austin", "Perth"]
AS_JSON = ["Return a JSON object that describes a {k} with the fields {f}.", "Give me a JSON array of {n} {k}s, each with {f}.", "Create a JSON object for a {k}. Use the fields {f}. Invent the values.",
           "Answer only with JSON: a {k} with {f}.", "Write an example of a {k} as JSON with the keys {f}.", "I need test data: {n} {k} records in JSON with {f}.", "Write a JSON schema for a {k} with the properties {f}.",
           "Generate a JSON document with a list of {k}s ({f}).", "Show me a nested JSON object: a {k} with {f}, where the last field is an object of its own."]
FROM_TEXT = ["Extract the name, job and city from this sentence as JSON: {n} is a {j} who lives in {c}.", "Turn this into a JSON object: {n}, {a} years old, {j}, {c}.",
             "Extract the data as JSON with the fields \"name\", \"age\" and \"city\": At the age of {a}, {n} moved to {c} and became a {j}.", "Convert to JSON:\n\nname: {n}\nage: {a}\njob: {j}\ncity: {c}",
             "Convert this table row to JSON: {n} | {j} | {c} | {a}", "{n} ordered {a} boxes of screws for the workshop in {c}. Return the order as JSON.", "Parse this contact: {n}, {j}, {c}. Output JSON only."]
SHORTEN = ["Summarise the following text in two sentences.\n\n{x}", "Summarize this in one sentence:\n\n{x}", "Give me a summary of this passage.\n\n{x}", "{x}\n\nSummarize the text above.", "What are the key points of this text?\n\n{x}",
           "Write a short summary for someone in a hurry.\n\n{x}", "Summarise as three bullet points:\n\n{x}", "Shorten this text to about fifty words.\n\n{x}", "Explain the following in plain language.\n\n{x}",
           "Rewrite this in simpler words:\n\n{x}", "What is the main idea?\n\n{x}", "Give this text a title and a one-line summary.\n\n{x}"]

VERBS = {"count": "Return the number of {n} in {o}.", "filter": "Return only the {n} of {o} that satisfy the condition.", "find_longest": "Find the longest of the {n} in {o}. Return None if there is none.",
         "sum": "Return the sum of all {n} in {o}.", "sort": "Sort the {n} of {o} in ascending order.", "remove_duplicate": "Remove repeated {n} from {o}, keeping the first of each.",
         "group": "Group the {n} of {o} by their first element.", "has": "Check whether {o} contains any {n}.", "replace": "Replace all {n} in {o} with the given value.", "reverse": "Reverse the order of the {n} in {o}.",
         "split": "Split {o} into a list of {n}.", "merge": "Merge two collections of {n} into one.", "max": "Return the largest of the {n} in {o}.", "average": "Return the mean of the {n} in {o}.",
         "is_valid": "Return True if the {n} in {o} are valid, and False otherwise.", "rotate": "Rotate the {n} of {o} by k positions.", "encode": "Encode the {n} of {o} as a string.", "parse": "Parse {o} and return its {n}.",
         "common": "Return the {n} that both inputs share.", "index_of": "Return the index of the first of the {n} in {o}, or -1.", "flatten": "Flatten nested {n} into one list.", "difference": "Return the {n} that are in the first input and not in the second.",
         "product": "Return the product of the {n} in {o}.", "every_other": "Return every second of the {n} in {o}.", "pairs": "Return all pairs of {n} in {o} with the given sum.", "frequency": "Return a dictionary of how often each of the {n} occurs in {o}."}
NOUNS = ["vowels", "words", "digits", "even_numbers", "primes", "brackets", "lines", "negative_values", "palindromes", "uppercase_letters", "numbers", "characters", "points", "intervals", "records", "keys", "dates", "scores",
         "edges", "nodes", "rows", "columns", "tokens", "prices", "temperatures", "substrings", "squares", "factors", "integers", "floats", "strings", "tuples", "peaks", "gaps", "steps"]
OBJECTS = [("text: str", "a string"), ("numbers: List[int]", "a list of integers"), ("s", "the string s"), ("lst", "the given list"), ("words: List[str]", "a list of words"), ("matrix: List[List[int]]", "a matrix"), ("arr", "an array"),
           ("n: int", "the integers up to n"), ("data: dict", "a dictionary"), ("values: List[float]", "a list of floats"), ("items", "the sequence")]
RETURNS = [" -> int", " -> bool", " -> str", " -> List[int]", " -> List[str]", "", "", " -> float", " -> Optional[int]"]
TAILS = ["", "", "\n    Raise ValueError on empty input.", "\n    The input is never empty.", "\n    Upper and lower case are the same.", "\n    Do not modify the input."]


def turn(user, system=DEFAULT, open_turn=False):
    text = f"<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\n{user}"
    return text if open_turn else text + "<|im_end|>\n<|im_start|>assistant\n"


def function(r):
    """The beginning of a Python function: imports, signature, docstring, sometimes examples."""
    verb, noun, (arg, what) = r.choice(list(VERBS)), r.choice(NOUNS), r.choice(OBJECTS)
    name = f"{verb}_{noun}" if r.random() < .8 else f"{noun}_{verb}"
    second = r.choice(["", "", "", ", k: int", ", limit=10", ", other", ", sep=','"])
    head = r.choice(["", "", "from typing import List\n\n\n", "from typing import List, Optional\n\n\n", "import math\n\n\n", "import re\n\n", "\n"])
    helper = f"def is_{noun[:-1]}(x):\n    return bool(x)\n\n\n" if r.random() < .1 else ""
    quote, doc = r.choice(['"""', '"""', "'''"]), VERBS[verb].format(n=noun.replace("_", " "), o=what) + r.choice(TAILS)
    plain = arg.split(":")[0]
    ex = {"n": lambda: str(r.randint(1, 99))}.get(plain, lambda: str([r.randint(-9, 99) for _ in range(r.randint(0, 6))]) if "int" in arg or plain in ("lst", "arr", "items") else repr("".join(r.choice("abc de fXY12 ") for _ in range(r.randint(2, 12)))))
    value = r.choice([lambda: str(r.randint(0, 20)), lambda: r.choice(["True", "False"]), lambda: str([r.randint(0, 30) for _ in range(r.randint(0, 4))])])
    style = r.random()
    if style < .45:
        doc += "".join(f"\n    >>> {name}({ex()})\n    {value()}" for _ in range(r.randint(1, 3)))
    elif style < .6:
        doc += "\n\n    Examples:\n" + "\n".join(f"    {name}({ex()}) == {value()}" for _ in range(r.randint(1, 3)))
    elif style < .7:
        doc += f"\n    For example, {name}({ex()}) should return {value()}."
    return f"{head}{helper}def {name}({arg}{second}){r.choice(RETURNS)}:\n    {quote}{r.choice(['', ' ', chr(10) + '    '])}{doc}\n    {quote}\n"


def library(r, most):
    """Functions with docstrings, prose of docstrings, and stretches of source, from the Python library of this machine (PSF licence)."""
    functions, prose, stretches = [], [], []
    root = pathlib.Path(sysconfig.get_paths()["stdlib"])
    files = sorted(p for p in root.rglob("*.py") if not {"test", "tests", "site-packages", "lib2to3", "idle_test", "encodings", "ensurepip"} & set(p.parts))
    r.shuffle(files)
    for p in files[:most]:
        try:
            text = p.read_text()
            tree = ast.parse(text)
        except (UnicodeDecodeError, SyntaxError, ValueError):
            continue
        lines = text.split("\n")
        for _ in range(max(1, len(lines) // 150)):
            i = r.randrange(len(lines))
            stretches.append("\n".join(lines[i:i + r.randint(6, 24)]) + "\n")
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                doc = ast.get_docstring(node)
                if not doc:
                    continue
                if len(doc) > 300:
                    parts = [x for x in doc.split("\n\n") if len(x) > 60]
                    prose.append("\n\n".join(parts)[:r.randint(500, 1100)])
                if isinstance(node, ast.FunctionDef) and node.body[0].end_lineno - node.lineno < 25 and node.col_offset <= 4:
                    cut = node.body[0].end_lineno
                    functions.append("\n".join(x[node.col_offset:] for x in lines[node.lineno - 1:cut]) + "\n")
    return functions, [p for p in prose if len(p) > 200], [s for s in stretches if len(s) > 80]


def templates(r, n):
    """n whole requests a domain, as (domain, user text)."""
    for _ in range(n):
        t, u = r.sample(TOPICS, 2)
        yield "chat", r.choice(ASKS).format(t=t, u=u)
        p, q = r.sample(PEOPLE, 2)
        yield "story", r.choice(TELLS).format(p=p, P=p[0].upper() + p[1:], q=q, d=r.choice(DEEDS), w=r.choice(PLACES))
        if r.random() < .7:
            k = r.choice(list(THINGS))
            f = r.sample(THINGS[k], r.randint(2, len(THINGS[k]))) + r.sample(["notes", "status", "id", "tags"], r.randint(0, 1))
            quoted = [f'"{x}"' for x in f] if r.random() < .6 else f
            yield "json", r.choice(AS_JSON).format(k=k, n=r.choice(["two", "three", "4", "five"]), f=", ".join(quoted[:-1]) + " and " + quoted[-1])
        else:
            yield "json", r.choice(FROM_TEXT).format(n=r.choice(NAMES), j=r.choice(JOBS), c=r.choice(CITIES), a=r.randint(18, 80))


def trial():
    """The openers and the one system text of the first trial: the baseline."""
    opens = {"code": ["Write a Python function that", "Write a JavaScript function", "Write a C program", "Implement a class in Python for", "def ", "Write SQL", "Fix this Python code:", "Write unit tests for"],
             "chat": ["Explain", "What is", "How do I", "Why", "Can you help me", "Tell me about", "Describe", "Give me tips"], "story": ["Write a short story about", "Tell me a story", "Write a poem about", "Continue the story:", "Once upon a time"],
             "json": ["Return a JSON object", "Give me a JSON list of", "Convert this to JSON:", "Extract the entities as JSON from:"], "summarise": ["Summarize the following text:", "Rewrite this paragraph:", "Translate to French:", "Make this email more friendly:"], "free": [""]}
    return [(d, ASK, 1.0, turn(o, DEFAULT, True)) for d in opens for o in opens[d]]


def spread(seed, n):
    """(domain, phase, weight, text) of every prompt of the full corpus; n scales the number of templates."""
    r, out = random.Random(seed), []
    for d, opens in OPEN.items():
        w = {"code": 1.2, "chat": 1.2, "story": 1.0, "json": .9, "summarise": 1.6, "free": 1.0}[d]
        for o in opens:
            out.append((d, ASK, w * .72 / len(opens), turn(o, DEFAULT, True)))
            for s in r.sample(SYSTEMS, 3):
                out.append((d, ASK, w * .28 / 3 / len(opens), turn(o, s, True)))
    def add(items, share):
        out.extend((d, phase, share / len(items), text) for d, phase, text in items)
    def system():
        return DEFAULT if r.random() < .85 else r.choice(SYSTEMS)
    whole = list(templates(r, n))
    for d, share in (("chat", .9), ("story", 1.0), ("json", 1.1)):
        add([(d, ANSWER, turn(u, system())) for x, u in whole if x == d], share)
    functions, prose, stretches = library(r, n)
    made = [function(r) for _ in range(n)]
    add([("code", RAW, f) for f in made], 1.3)
    add([("code", ANSWER, turn(r.choice(["Complete this function:\n\n{f}", "{f}", "Implement the following function.\n\n```python\n{f}```", "Finish this code:\n\n{f}"]).format(f=f), system())) for f in made[:n // 2]], .35)
    if functions:
        add([("code", RAW, f) for f in functions], .6)
    if stretches:
        add([("code", RAW, s) for s in stretches], .35)
    if prose:
        add([("summarise", ANSWER, turn(r.choice(SHORTEN).format(x=x), system())) for x in prose], .45)
    return out


def without(prompts, foreign, words=8):
    """Drops the prompts that share `words` words in a row with a foreign text, or whose request is one."""
    def grams(text):
        w = text.split()
        return {" ".join(w[i:i + words]) for i in range(len(w) - words + 1)}
    bad, whole = set(), set()
    for f in foreign:
        bad |= grams(f)
        whole.add(f.strip())
    kept = []
    for p in prompts:
        user = p[3].split("<|im_start|>user\n")[-1].split("<|im_end|>")[0]
        if user.strip() not in whole and not (grams(user) & bad):
            kept.append(p)
    return kept
