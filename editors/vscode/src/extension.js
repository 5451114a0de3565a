// The extension: it starts the server `coloma lsp` and offers tasks for each pack.
"use strict";

const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** What tasks do, and which lines of their output are problems. */
const TASKS = {
  lint: { matcher: "$coloma-lint", group: vscode.TaskGroup.Build },
  test: { matcher: "$coloma-test", group: vscode.TaskGroup.Test },
  watch: { matcher: ["$coloma-watch", "$coloma-test"], background: true },
};

/** @type {LanguageClient | undefined} */
let client;

/** @type {vscode.OutputChannel | undefined} */
let output;

/** Return the command that the settings name; a path begins at the folder that is open. */
function commandFor(folder) {
  const named = vscode.workspace.getConfiguration("coloma", folder?.uri).get("command", "coloma");
  const isPath = /[\\/]/.test(named) && !path.isAbsolute(named);
  return isPath && folder ? path.join(folder.uri.fsPath, named) : named;
}

/** How the result of a command of the server is shown. */
const SHOWN = {
  "coloma.runScenarios"(said) {
    output ??= vscode.window.createOutputChannel("Coloma");
    output.appendLine(said);
    output.show(true);
  },
  async "coloma.showForm"(text) {
    const document = await vscode.workspace.openTextDocument({ content: text });
    await vscode.window.showTextDocument(document, { preview: true });
  },
  "coloma.play"(line, _, folder) {
    const terminal = vscode.window.createTerminal({ name: "Coloma", cwd: folder?.uri });
    terminal.show();
    terminal.sendText(line.replace(/^coloma\b/, commandFor(folder)));
  },
  async "coloma.showReferences"(found, [file, line, column]) {
    const locations = found.map(client.protocol2CodeConverter.asLocation);
    const position = new vscode.Position(line - 1, column - 1);
    const at = vscode.Uri.file(file);
    await vscode.commands.executeCommand("editor.action.showReferences", at, position, locations);
  },
};

async function start() {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const command = commandFor(folder);
  const server = { command, args: ["lsp"], options: { cwd: folder?.uri.fsPath } };
  client = new LanguageClient("coloma", "Coloma", server, {
    documentSelector: [
      { scheme: "file", language: "coloma" },
      { scheme: "file", language: "toml" },
      { scheme: "file", pattern: "**/*.toml" }, // where nothing else knows TOML
    ],
    middleware: {
      async executeCommand(name, given, next) {
        const result = await next(name, given);
        await SHOWN[name]?.(result, given, folder);
        return result;
      },
    },
    synchronize: {
      fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{rules,toml,md}"),
    },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const settings = "Open settings";
    const chosen = await vscode.window.showErrorMessage(
      `The server cannot be started: ${command} lsp (${error.message}). ` +
        "Install it with `pip install coloma`, or say where it is in coloma.command.",
      settings,
    );
    if (chosen === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "coloma.command");
    }
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

/** Return a task of a definition: `{ type: "coloma", command: "lint", pack: "content" }`. */
function taskOf(definition, folder) {
  const { command, pack = "." } = definition;
  const kind = TASKS[command];
  const name = pack === "." ? command : `${command} ${pack}`;
  const run = new vscode.ProcessExecution(commandFor(folder), [command, pack], {
    cwd: folder.uri.fsPath,
  });
  const task = new vscode.Task(definition, folder, name, "coloma", run, kind.matcher);
  task.group = kind.group;
  task.isBackground = Boolean(kind.background);
  return task;
}

/** Offer every task for every pack of the folders that are open. */
async function provideTasks() {
  const found = await vscode.workspace.findFiles("**/pack.toml", "**/node_modules/**");
  return found.flatMap((uri) => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (!folder) return [];
    const inside = path.relative(folder.uri.fsPath, path.dirname(uri.fsPath)) || ".";
    const pack = inside.split(path.sep).join("/");
    return Object.keys(TASKS).map((command) => taskOf({ type: "coloma", command, pack }, folder));
  });
}

function resolveTask(task) {
  const folder = typeof task.scope === "object" ? task.scope : undefined;
  return folder && task.definition.command in TASKS ? taskOf(task.definition, folder) : undefined;
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("coloma.restart", async () => {
      await stop();
      await start();
    }),
    vscode.tasks.registerTaskProvider("coloma", { provideTasks, resolveTask }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
