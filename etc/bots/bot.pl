# Plays one game of any kind, badly: perl bot.pl HOST PORT GAME [TABLE]
use strict; use IO::Socket::IP; use JSON::PP;
my ($host, $port, $game, $table) = @ARGV;
my $link = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port) or die "$@\n";
sub ask { my %asked = @_; print $link encode_json({ id => $asked{do}, %asked }), "\n" }
if ($table) { ask(do => "join", table => $table) }
else {
    ask(do => "open", game => $game, house => { start => "asked" });
    ask(do => $_) for qw(join bot start);
}
while (my $line = <$link>) {
    my $said = decode_json($line);
    die "$said->{says}\n" if $said->{error} && $said->{reply} ne "play";
    my @moves = @{ $said->{moves} // [] };
    ask(do => "play", move => $moves[rand @moves]) if @moves;
    next if ($said->{event} // "") ne "GameOver";
    print "places: @{ $said->{outcome}{places} }\n";
    exit;
}
