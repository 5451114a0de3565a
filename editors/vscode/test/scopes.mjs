// Reads files named in standard input as JSON: [{ path, text, scope }]. Writes for each the tokens
// that VS Code would colour: [[line, start, end, scopes], ...], lines and columns from 0.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));

const { grammars, files } = JSON.parse(readFileSync(0, "utf8"));
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) =>
    grammars[scope] ? parseRawGrammar(readFileSync(grammars[scope], "utf8"), grammars[scope]) : null,
  getInjections: (scope) =>
    scope === "source.toml" ? Object.keys(grammars).filter((each) => each.endsWith(".in.toml")) : [],
});

const found = {};
for (const { path, text, scope } of files) {
  const grammar = await registry.loadGrammar(scope);
  let stack = INITIAL;
  found[path] = text.split("\n").flatMap((line, at) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    return result.tokens.map((each) => [at, each.startIndex, each.endIndex, each.scopes.slice(1)]);
  });
}
process.stdout.write(JSON.stringify(found));
