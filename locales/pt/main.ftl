# Portuguese, as in Brazil. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Dono(a)
scope-admin = Admin
scope-moderator = Moderador(a)
scope-participant = Participante

## Headings over the people of one role

section-owner = Dono(a)
section-admin = Admins
section-moderator = Moderação
section-participant = Participantes

## Whether somebody is there

status-online = Online
status-away = Ausente
status-offline = Offline

## The list

members-title = Membros
members-search = Pesquisar membros
members-search-go = Pesquisar
members-more = Mostrar mais
members-previous = Anteriores na lista
members-next = Mais membros
members-online = { $n ->
    [one] { $count } online
    [many] { $count } online
   *[other] { $count } online
}
members-filter = Filtro
filter-all = Todos
filter-admins = Admins
filter-moderators = Moderação
filter-online = Online
filter-joined = Entraram na última hora
members-found = { $n ->
    [one] { $count } resultado
    [many] { $count } de resultados
   *[other] { $count } resultados
}
members-bans-link = Banimentos
members-mutes-link = Pessoas silenciadas
members-page = Membros de { $group }

group-members = { $n ->
    [one] { $count } membro
    [many] { $count } de membros
   *[other] { $count } membros
}

## A row

row-joined = Entrou em { $date }
row-you = você
row-own-menu = Sua participação no grupo
row-menu = Ações para { $name }
row-select = Selecionar { $name }
row-selected = na seleção

## Nobody to show

empty-title = Nenhum membro
empty-hint = Quem entrar no grupo aparece aqui.
empty-search = Nenhum resultado para “{ $search }”
empty-search-hint = Tente uma parte do nome, em qualquer alfabeto, com ou sem acentos.
empty-online = Ninguém online
empty-online-hint = Quem ficar online aparece aqui.
empty-filter = Ninguém aqui
empty-filter-hint = No momento, nenhum membro corresponde a este filtro.
empty-clear = Mostrar todos

## Live, and what stands in its way

live-on = Ao vivo
live-reconnecting = Reconectando…
live-off = Sem atualização ao vivo. Recarregue a página para ver as mudanças.
presence-batched = A lista de quem está online é atualizada a cada cinco segundos.
presence-counts = Tem tanta gente online que só o número é mostrado ao vivo.
members-failed = Não foi possível mostrar os membros.
request-failed = Não deu certo.
request-retry = Tentar de novo
held-changes = { $n ->
    [one] { $count } mudança
    [many] { $count } de mudanças
   *[other] { $count } mudanças
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } entrada
    [many] { $count } de entradas
   *[other] { $count } entradas
}
digest-left = { $n ->
    [one] { $count } saída
    [many] { $count } de saídas
   *[other] { $count } saídas
}
digest-removed = { $n ->
    [one] { $count } remoção
    [many] { $count } de remoções
   *[other] { $count } remoções
}
digest-changed = { $n ->
    [one] { $count } mudança de função
    [many] { $count } de mudanças de função
   *[other] { $count } mudanças de função
}
digest-admin = { $name } agora é admin
digest-moderator = { $name } agora é moderador(a)
digest-participant = { $name } agora é participante
digest-owner = { $name } agora é dono(a) do grupo

## Selecting people

selection-count = { $n ->
    [one] Seleção: { $count }
    [many] Seleção: { $count }
   *[other] Seleção: { $count }
}
selection-clear = Limpar seleção
selection-all = Selecionar todos os resultados
selection-done = Continuar
selection-full = Você pode selecionar até { $count } pessoas.
selection-first = Seleção: os primeiros { $count } de { $all }.
selection-page = Pessoas selecionadas
selection-none = Ninguém na seleção.
selection-choose = Selecione pelo menos uma pessoa.
selection-fewer = São pessoas demais de uma vez. Selecione menos.
selection-gone = { $n ->
    [one] { $count } pessoa não faz mais parte do grupo.
    [many] { $count } de pessoas não fazem mais parte do grupo.
   *[other] { $count } pessoas não fazem mais parte do grupo.
}

## When the viewer is out

ended-kicked = Removeram você deste grupo
ended-kicked-hint = Você pode voltar: entre de novo ou peça para alguém adicionar você.
ended-banned = Baniram você deste grupo
ended-deleted = Este grupo não existe mais
ended-deleted-hint = Os membros não são mais mostrados.
ended-left = Você não está mais neste grupo
ended-left-hint = Você pode voltar: entre de novo ou peça para alguém adicionar você.

## Out of the group, and at its door

left-title = Você saiu de { $group }
left-untold = Você saiu do grupo
left-ask = Para voltar, peça para alguém adicionar você.
act-join-again = Entrar de novo
banned-until = Você só pode voltar a partir de { $time }.
banned-for-good = O banimento é por tempo indeterminado: você só pode voltar se alguém desbanir você.
muted-until = Não pode escrever até { $time }
muted-you = Você não pode escrever neste grupo até { $time }.
scope-until = Até { $time }
scope-you-admin = Você é admin até { $time }.
scope-you-moderator = Você é moderador(a) até { $time }.
told = Mensagem da equipe: { $message }
group-password-missing = Digite a senha do grupo.
selection-back = Alterar seleção

## Acts, in a menu

act-kick = Remover
act-ban = Banir
act-unban = Desbanir
act-mute = Silenciar
act-unmute = Deixar de silenciar
act-scope = Mudar função
act-scope-own = Abrir mão da função
act-transfer = Transferir posse
act-leave = Sair do grupo
act-cancel = Cancelar
act-close = Fechar

## Acts, as forms: the question over the form

ask-kick = Remover { $name }?
ask-ban = Banir { $name }?
ask-unban = Desbanir { $name }?
ask-mute = Silenciar { $name }?
ask-unmute = Deixar de silenciar { $name }?
ask-scope = Mudar a função de { $name }
ask-scope-own = Abrir mão da função
ask-transfer = Transferir a posse para { $name }?
ask-leave = Sair do grupo?

## Acts, as forms: what will happen

hint-kick = Essa pessoa sai do grupo agora, mas pode voltar.
hint-ban = Essa pessoa sai do grupo agora e não pode voltar enquanto o banimento durar. Quem modera, administra ou é dono(a) do grupo vê o que você escrever para a equipe.
hint-unban = Essa pessoa pode entrar de novo, mas não volta ao grupo automaticamente.
hint-mute = Essa pessoa continua no grupo, mas não pode escrever enquanto o silenciamento durar. Quem modera, administra ou é dono(a) do grupo vê o que você escrever para a equipe.
hint-unmute = Essa pessoa pode escrever de novo na hora.
hint-scope = O que essa pessoa pode fazer muda na hora. Todo o grupo vê a nova função.
hint-scope-own = Você abre mão de permissões. Só alguém com função superior pode devolvê-las.
hint-transfer = Essa pessoa passa a ter controle total do grupo e você vira admin. Só ela pode devolver a posse a você.
hint-leave = Você deixa de fazer parte do grupo. Para voltar, entre de novo ou peça para alguém adicionar você.
hint-leave-alone = Não há mais ninguém no grupo. O grupo permanece e passa a pertencer ao servidor.

## Acts, as forms: the button that does it

do-kick = Remover { $name }
do-ban = Banir { $name }
do-unban = Desbanir { $name }
do-mute = Silenciar { $name }
do-unmute = Deixar de silenciar { $name }
do-scope = Salvar
do-transfer = Transferir a posse para { $name }
do-leave = Sair do grupo

## The form of a ban

ban-reason = Para a equipe
ban-message = Mensagem para a pessoa
ban-for = Duração
ban-hour = 1 hora
ban-day = 1 dia
ban-week = 7 dias
ban-forever = Por tempo indeterminado
for-minutes = 5 minutos
for-other = Outro prazo
for-hours = Número de horas
for-day = Ou até o fim do dia escolhido (UTC)
scope-forever = Por tempo indeterminado
scope-end-now = Encerrar a função agora
scope-legend = Função
batch-will-kick = { $n ->
    [one] { $count } pessoa será removida do grupo.
    [many] { $count } de pessoas serão removidas do grupo.
   *[other] { $count } pessoas serão removidas do grupo.
}
batch-will-ban = { $n ->
    [one] { $count } pessoa será banida.
    [many] { $count } de pessoas serão banidas.
   *[other] { $count } pessoas serão banidas.
}
batch-will-mute = { $n ->
    [one] { $count } pessoa será silenciada.
    [many] { $count } de pessoas serão silenciadas.
   *[other] { $count } pessoas serão silenciadas.
}
batch-will-scope = { $n ->
    [one] { $count } pessoa terá a nova função.
    [many] { $count } de pessoas terão a nova função.
   *[other] { $count } pessoas terão a nova função.
}
batch-cannot = Não é possível para { $count }:
batch-unchanged = Nada a mudar
batch-refused-oneself = Você
batch-refused-equal = Mesma função que a sua
batch-refused-above = Função superior à sua
batch-refused-grant = Nova função superior à sua
batch-refused-scope-ends = Função permanente já igual ou superior
batch-refused-not-a-member = Fora do grupo
batch-refused-changed = Mudanças nesse meio-tempo
batch-refused-too-late = Já passou tempo demais
batch-refused-overtaken = Mudanças posteriores
batch-hint-kick = As pessoas afetadas saem do grupo agora, mas podem voltar.
batch-hint-ban = As pessoas afetadas saem do grupo agora e não podem voltar enquanto o banimento durar. Quem modera, administra ou é dono(a) do grupo vê o que você escrever para a equipe.
batch-hint-mute = As pessoas afetadas continuam no grupo, mas não podem escrever enquanto o silenciamento durar. Quem modera, administra ou é dono(a) do grupo vê o que você escrever para a equipe.
batch-hint-scope = O que as pessoas afetadas podem fazer muda na hora. Todo o grupo vê a nova função.

## What came of an act, on a page without JavaScript

done-kick = { $name } não faz mais parte do grupo.
done-ban = { $name } não pode mais entrar no grupo.
done-unban = { $name } já pode entrar de novo.
done-mute = { $name } não pode escrever por enquanto.
done-unmute = { $name } pode escrever de novo.
done-scope = { $name } agora tem outra função.
done-transfer = { $name } agora é dono(a) do grupo.
done-undo = A ação sobre { $name } foi desfeita.
done-note-added = Sua nota sobre { $name } foi adicionada.
done-note-removed = A nota sobre { $name } foi removida.
batch-done-kick = { $n ->
    [one] { $count } pessoa não faz mais parte do grupo.
    [many] { $count } de pessoas não fazem mais parte do grupo.
   *[other] { $count } pessoas não fazem mais parte do grupo.
}
batch-done-ban = { $n ->
    [one] { $count } pessoa não pode mais entrar no grupo.
    [many] { $count } de pessoas não podem mais entrar no grupo.
   *[other] { $count } pessoas não podem mais entrar no grupo.
}
batch-done-mute = { $n ->
    [one] { $count } pessoa não pode escrever por enquanto.
    [many] { $count } de pessoas não podem escrever por enquanto.
   *[other] { $count } pessoas não podem escrever por enquanto.
}
batch-done-scope = { $n ->
    [one] { $count } pessoa agora tem outra função.
    [many] { $count } de pessoas agora têm outra função.
   *[other] { $count } pessoas agora têm outra função.
}
batch-done-undo = { $n ->
    [one] A ação sobre { $count } pessoa foi desfeita.
    [many] A ação sobre { $count } de pessoas foi desfeita.
   *[other] A ação sobre { $count } pessoas foi desfeita.
}
undo-button = Desfazer
undo-left = { $count } s
done-join = Agora você faz parte do grupo.

## Why an act is refused

refused-participant = Como participante, você não pode fazer isso com ninguém.
refused-oneself = É você.
refused-equal-owner = Você só pode fazer isso com quem tem função inferior à sua, e essa pessoa tem a mesma: dono(a).
refused-equal-admin = Você só pode fazer isso com quem tem função inferior à sua, e essa pessoa tem a mesma: admin.
refused-equal-moderator = Você só pode fazer isso com quem tem função inferior à sua, e essa pessoa tem a mesma: moderador(a).
refused-equal-participant = Você só pode fazer isso com quem tem função inferior à sua, e essa pessoa tem a mesma: participante.
refused-above-owner = Você só pode fazer isso com quem tem função inferior à sua, e essa pessoa tem uma superior: dono(a).
refused-above-admin = Você só pode fazer isso com quem tem função inferior à sua, e essa pessoa tem uma superior: admin.
refused-above-moderator = Você só pode fazer isso com quem tem função inferior à sua, e essa pessoa tem uma superior: moderador(a).
refused-above-participant = Você só pode fazer isso com quem tem função inferior à sua, e essa pessoa tem uma superior: participante.
refused-owner-only = Só quem é dono(a) do grupo pode transferir a posse.
refused-grant-owner = Você pode dar no máximo a sua própria função: dono(a).
refused-grant-admin = Você pode dar no máximo a sua própria função: admin.
refused-grant-moderator = Você pode dar no máximo a sua própria função: moderador(a).
refused-grant-participant = Você pode dar no máximo a sua própria função: participante.
refused-self-ban = Você não pode se banir. Se quiser ir embora, saia do grupo.
refused-self-mute = Você não pode se silenciar nem remover seu próprio silenciamento.
refused-scope-ends = Uma função só pode ter prazo se for superior à que a pessoa teria sem ela.
refused-not-a-member = Essa pessoa não faz parte deste grupo.
refused-owner-must-transfer = O grupo precisa de dono(a): antes de sair, transfira a posse para alguém.
refused-not-undoable = Só é possível desfazer isto: um membro removeu, baniu ou silenciou outra pessoa, mudou a função dela, a desbaniu ou deixou de silenciá-la.
refused-not-theirs-to-undo = Só quem fez isso, ou alguém com função superior, pode desfazer.
refused-not-theirs-to-remove = Só quem escreveu esta nota, ou alguém com função superior, pode removê-la.
refused-banned = Baniram você deste grupo.
refused-password = Essa não é a senha do grupo.
refused-rights-changed = A função dessa pessoa ou a sua mudou nesse meio-tempo.
refused-changed-since-shown = Algo mudou nesse meio-tempo. Confira antes de tentar de novo.

## A field of a form that cannot be taken as it is

field-scope = Escolha uma função.
field-end = { $n ->
    [one] Escolha um prazo de no máximo { $count } dia.
    [many] Escolha um prazo de no máximo { $count } de dias.
   *[other] Escolha um prazo de no máximo { $count } dias.
}
field-ends = Indique um número de horas ou um dia, não os dois.
field-long = { $n ->
    [one] Este texto é longo demais: no máximo { $count } caractere.
    [many] Este texto é longo demais: no máximo { $count } de caracteres.
   *[other] Este texto é longo demais: no máximo { $count } caracteres.
}
field-odd = Este texto tem um caractere que não pode ser exibido. Remova-o ou escreva o texto de novo.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } deu a { $name } a função de admin ({ $time }).
changed-scope-moderator = { $by } deu a { $name } a função de moderador(a) ({ $time }).
changed-scope-participant = { $by } deu a { $name } a função de participante ({ $time }).
changed-owner = { $by } transferiu a posse do grupo ({ $time }).
changed-kicked = { $by } removeu { $name } ({ $time }).
changed-banned = { $by } baniu { $name } ({ $time }).
changed-muted = { $by } silenciou { $name } ({ $time }).
changed-unmuted = { $by } deixou de silenciar { $name } ({ $time }).
changed-left = { $name } saiu do grupo ({ $time }).
the-host = O servidor
the-team = A equipe

## Errors: a title, and what to do

error-not-found = Não encontrado
error-not-found-hint = Esse grupo não existe ou você não pode vê-lo.
error-not-a-member = Não faz parte do grupo
error-not-allowed = Não permitido
error-not-undone = A ação não foi desfeita
undo-too-late = Já passou tempo demais para desfazer.
undo-overtaken = A situação mudou desde então, por isso a ação não foi desfeita.
error-not-any-more = Não é mais possível
error-owner-must-stay = O grupo não pode ficar sem dono(a)
error-banned = Banimento ativo
error-bad-request = Não foi possível ler esta solicitação
error-invalid = Um valor não é permitido
error-sign-in = Faça login
error-sign-in-hint = É preciso um token de viewer, como bearer ou no cookie da sessão.
error-sign-in-again = Faça login de novo
error-token-expired = O token expirou.
error-signed-out = Sua sessão foi encerrada em todos os dispositivos.
error-too-large = Grande demais
error-too-large-hint = O conteúdo desta solicitação é grande demais.
error-too-fast = Rápido demais
error-too-fast-hint = { $n ->
    [one] Tente de novo em { $count } segundo.
    [many] Tente de novo em { $count } de segundos.
   *[other] Tente de novo em { $count } segundos.
}
error-unavailable = Não é possível no momento
error-unavailable-hint = Nada mudou. Tente de novo daqui a pouco.
error-unsure = Não se sabe se foi feito
error-unsure-hint = A resposta não chegou a tempo. Veja se foi feito antes de tentar de novo.
error-internal = Algo deu errado do nosso lado
error-internal-hint = Informe este número ao relatar o problema: { $number }

## Whole pages

page-back = Voltar
page-members = Membros
page-not-a-member = Você não faz parte deste grupo.
page-refused = Não é possível
group-join-password = Quem sabe a senha pode entrar.
group-join = Qualquer pessoa pode entrar.
group-password = Senha
act-join = Entrar no grupo

## Who is banned

bans-title = Banimentos em { $group }
bans-search = Pesquisar banimentos
bans-none = Nenhum banimento
bans-no-reason = Nenhum motivo informado.
bans-until = Até { $time }.
bans-forever = Por tempo indeterminado.
bans-by = Quem baniu: { $by }, { $time }.
mutes-by = Quem silenciou: { $by }, { $time }.
mutes-title = Pessoas silenciadas em { $group }
mutes-search = Pesquisar pessoas silenciadas
mutes-none = Nenhuma pessoa silenciada
notes-label = Notas
notes-title = Notas sobre { $name }
notes-hint = Na equipe, só quem tem função superior à dessa pessoa pode ler estas notas. A pessoa não é avisada.
notes-none = Ainda não há notas
notes-count = Notas: { $count }
notes-by = { $by }, { $time }
notes-text = Nota
notes-missing = Escreva primeiro a nota.
notes-full = Não é possível guardar mais notas sobre essa pessoa. Remova uma primeiro.
notes-add = Adicionar nota
notes-remove = Remover

## The feed of changes

feed-title = Mudanças em { $group }
feed-joined = { $name } entrou
feed-added = { $by } adicionou { $name }
feed-left = { $name } saiu
feed-kicked = { $by } removeu { $name }
feed-banned = { $by } baniu { $name }
feed-unbanned = { $by } desbaniu { $name }
feed-muted = { $by } silenciou { $name }
feed-unmuted = { $by } deixou de silenciar { $name }
feed-scope-admin = { $by } deu a { $name } a função de admin
feed-scope-moderator = { $by } deu a { $name } a função de moderador(a)
feed-scope-participant = { $by } deu a { $name } a função de participante
feed-owner = { $name } agora é dono(a) do grupo
feed-updated = { $name } mudou de nome ou de foto
feed-note-added = { $by } adicionou uma nota sobre { $name }
feed-note-removed = { $by } removeu uma nota sobre { $name }
feed-synced = Os membros foram sincronizados com o servidor
feed-group-created = O grupo foi criado
feed-group-updated = O nome, a foto ou a descrição do grupo mudou
feed-group-deleted = O grupo foi excluído
