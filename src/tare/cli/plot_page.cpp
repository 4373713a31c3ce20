// The help page of `tare plot`.
#include "tare/cli/plot_args.hpp"

namespace tare::detail::cli::of_plot {

const Page page{
    .name = "tare plot",
    .synopsis = {"tare plot reliability FILE -o x.svg [options]", "tare plot histogram FILE -o x.svg [options]",
                 "tare plot bias FILE | --model NAME -o x.svg [options]",
                 "tare plot compare FILE | --val F --test F -o x.svg [options]",
                 "tare plot groups FILE --group COLUMN -o x.svg [options]",
                 "tare plot estimators | rejection | detectable | bins FILE -o x.svg [options]",
                 "tare plot map | before_after FILE --calibrator NAME|F -o x.svg [options]",
                 "tare plot models FILE --beside F,F,... -o x.svg [options]",
                 "tare plot KIND --logits F --labels F -o x.svg [options]"},
    .description =
        {"Draws one picture. reliability: the calibration curve with a band that holds the whole true curve in 95 of "
         "100 samples, the diagonal, the bins as circles by their counts, and where the rows are below. The band "
         "assumes that the true curve never falls; where the data contradict that, it assumes nothing, and the picture "
         "says so. Scores on at most 30 values are drawn as a dot each, with an exact interval. --style bars draws one "
         "bar per bin instead, as high as the accuracy and pale where rows are few, with the gap to the mean "
         "confidence hatched, brackets where the bars of a calibrated model would end, and the isotonic fit. "
         "histogram: the share of rows per bin, with accuracy and mean confidence marked. The heading gives the "
         "estimator whose bins are drawn, its value, and what a perfectly calibrated model of this n would show. With "
         "--reduction classwise the class with the largest error beyond its noise is drawn.",
         "bias: how far estimators are from the true error at several n, on a model fitted to the data or on a network "
         "of Roelofs et al. 2022. compare: after minus before for every calibrator, with intervals that hold for all "
         "at once. groups: confidence less accuracy of every group of rows with its interval, the strongest evidence "
         "first.",
         "estimators: one line each, with its value, what a calibrated model would show by chance, its interval, and "
         "with --bias the corrected value. rejection: the accuracy among the most confident share of the rows, with "
         "the interval of each share. detectable: the smallest error that the test finds, against the number of rows. "
         "bins: binned errors against the number of bins and, on random parts of the data, against the number of rows.",
         "map: what a calibrator makes of every score, over the hit rates of the data; with --reduction classwise one "
         "line for each of the largest classes. before_after: both calibration curves with their bands, and both "
         "histograms. models: the curves of several files in one diagram.",
         "Where the output ends in .png, rsvg-convert (Debian: librsvg2-bin) or inkscape must be installed. Without -o "
         "the picture is drawn in the terminal, or written as SVG into a pipe; --text draws it in characters "
         "anywhere."},
    .examples = {{"tare plot reliability data/resnet110_cifar10.npz", "in the terminal"},
                 {"tare plot reliability data/resnet110_cifar10.npz -o reliability.svg", "the curve with its band"},
                 {"tare plot reliability data/resnet110_cifar10.npz --axis rank -o ranks.svg",
                  "as much room for every row"},
                 {"tare plot reliability data/resnet110_cifar10.npz --style bars -o bars.svg", "bars of equal width"},
                 {"tare plot reliability model.npz --estimator sweep_em -o sweep.png", "the bins the sweep chose"},
                 {"tare plot histogram model.npz --bins 30 -o confidence.svg", "finer bins"},
                 {"tare plot bias --model resnet110_c10 --n 200,1000,5000 -o bias.svg", "a network of the paper"},
                 {"tare plot compare data/resnet110_cifar100.npz --criterion nll -o compare.svg",
                  "every calibrator, by log loss"},
                 {"tare plot rejection data/resnet110_cifar10.npz -o rejection.svg",
                  "how accurate are the surest rows?"},
                 {"tare plot before_after data/resnet110_cifar10.npz --calibrator temperature -o both.svg",
                  "fitted on the validation half, drawn on the test half"},
                 {"tare plot models data/resnet110_cifar10.npz --beside data/lenet5_cifar10.npz -o models.svg",
                  "two networks in one diagram"},
                 {"tare plot bins data/lenet5_cifar10.npz --csv > bins.csv", "the numbers of a picture"}},
};

}  // namespace tare::detail::cli::of_plot
